import { randomUUID } from 'node:crypto';
import {
  Conflict,
  createUser,
  deleteUser,
  executeOperation,
  type Execution,
  InvalidInput,
  listUsers,
  NotFound,
  type Operation,
  previewUserDeletion,
  ScopeClaims,
} from '@acervo/contracts';
import { type Dispatch, type LocalCalls, RoutedCalls, WriteContexts } from '@acervo/platform-calls';
import { VersionedSecret } from '@acervo/platform-config';
import { Metrics } from '@acervo/platform-observability';
import { NoTrail } from '@acervo/platform-test-bed';
import { Scope } from '@acervo/rbac';
import { OperationCatalogue } from '../src/catalogue/operation-catalogue';
import { ExecutionHandlers } from '../src/execution/execution.handlers';
import { Idempotency, KeyTaken } from '../src/execution/idempotency';
import { IdempotencyStore } from '../src/execution/idempotency.store';
import { PreviewOutdated, PreviewTokens } from '../src/execution/preview-tokens';
import { type Opened, openOperations } from './support';

type JsonObject = Record<string, unknown>;

const ANA = 'ana@example.test';
const user = (code: string): JsonObject => ({
  ...{ codigo: code, nombre: 'Ana', estado: 'ACTIVO', tipo_acceso: 'USUARIO', id_rol_principal: 1 },
  ...{ rol_principal: 'USUARIO', codigo_grupo: 'G1', entidad_predeterminada: null, area_predeterminada: null },
  ...{ aplicacion_predeterminada: null, fecha_creacion: '2026-01-02T03:04:05.678Z' },
});

/** Answers the calls of auth, and records what it was sent. */
class Owner {
  readonly sent: Dispatch[] = [];
  dependents = 3;
  refusal: Error | undefined;

  async dispatch(call: Dispatch): Promise<JsonObject> {
    this.sent.push(call);
    if (this.refusal !== undefined && call.code !== previewUserDeletion.code) throw this.refusal;
    return this.answers[call.code]?.(call.input as JsonObject) ?? {};
  }

  get codes(): string[] {
    return this.sent.map(({ code }) => code);
  }

  private readonly answers: Readonly<Record<string, (input: JsonObject) => JsonObject>> = {
    [listUsers.code]: () => ({ items: [user(ANA)] }),
    [createUser.code]: (input) => user(String(input['codigo'])),
    [previewUserDeletion.code]: (input) => ({
      ...input,
      ...{ dependencias: [], total: this.dependents, bloqueado: false },
    }),
    [deleteUser.code]: (input) => ({ ...input, eliminado: true }),
  };
}

let opened: Opened;
beforeAll(async () => {
  opened = await openOperations();
});
afterAll(() => opened.db.close());

const caller = (over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(
    Object.assign(new ScopeClaims(), {
      ...{ groupId: randomUUID(), userId: randomUUID(), credentialId: 'key', credential: 'api_key' },
      ...{ activeEntity: null, effectiveArea: null, profile: 'ADMINISTRADOR', functions: ['MANAGE_USERS'] },
      ...over,
    }),
    'token',
  );

/** The executor beside an owner of users, as the service wires it. */
const wired = (operations: readonly Operation[] = [createUser, deleteUser, listUsers]) => {
  const owner = new Owner();
  // Only the dispatcher of a server is used.
  const local: LocalCalls = new Map([['auth', owner]]);
  const nowhere = { send: () => Promise.reject(new Error('Nothing is remote here.')) };
  const executor = new ExecutionHandlers(
    new OperationCatalogue(operations),
    new RoutedCalls('operations', local, nowhere, new Metrics('test')),
    new PreviewTokens(new VersionedSecret('a secret of some length', 'TEST')),
    new Idempotency(opened.database, new IdempotencyStore()),
  );
  const contexts = new WriteContexts(opened.database, new NoTrail());
  const execute = (scope: Scope, request: Partial<Execution>, idempotencyKey?: string) => {
    const input = { confirm: false, code: '', ...request };
    const context = contexts.open({ call: executeOperation, scope, caller: 'gateway', input, idempotencyKey });
    return executor.execute(scope, input, context);
  };
  return { owner, execute };
};

const draft = { code: ANA, name: 'Ana' };
const creation = { code: createUser.code, input: draft };
const deletion = { code: deleteUser.code, input: { code: ANA } };

describe('an operation', () => {
  it('a read is executed at once, in public names', async () => {
    const { owner, execute } = wired();
    const outcome = await execute(caller(), { code: listUsers.code });
    expect(outcome).toMatchObject({ code: listUsers.code, kind: 'read', executed: true });
    expect(JSON.stringify(outcome.result)).toContain('"code":"ana@example.test"');
    expect(JSON.stringify(outcome)).not.toMatch(/codigo|nombre|"ACTIVO"/);
    expect(owner.codes).toEqual([listUsers.code]);
  });

  it('a write is sent with its input and its caller', async () => {
    const { owner, execute } = wired();
    const scope = caller();
    const outcome = await execute(scope, creation);
    expect(outcome).toMatchObject({ kind: 'write', executed: true, result: { code: ANA, name: 'Ana' } });
    expect(outcome).not.toHaveProperty('confirmRequired');
    expect(owner.sent).toMatchObject([{ code: createUser.code, scope, input: { codigo: ANA, nombre: 'Ana' } }]);
    expect(owner.sent[0]?.idempotencyKey).toBeUndefined();
  });

  it('an unreachable operation is absent, whatever its input', async () => {
    const { owner, execute } = wired();
    for (const scope of [caller({ profile: 'USUARIO' }), caller({ functions: ['DOCUMENTS'] })])
      await expect(execute(scope, { ...creation, input: { unheard: 1 } })).rejects.toBeInstanceOf(NotFound);
    await expect(execute(caller(), { code: 'users.unheard' })).rejects.toBeInstanceOf(NotFound);
    expect(owner.codes).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['lacks a field', { code: ANA }, { missing_fields: ['name'] }],
    ['has an undeclared field', { ...draft, canary: 'x' }, { unknown_field_count: 1 }],
    ['uses internal names', { ...draft, codigo: 'x' }, { unknown_field_count: 1 }],
  ])('an input that %s is refused before anything is sent', async (_what, input, details) => {
    const { owner, execute } = wired();
    await expect(execute(caller(), { ...creation, input })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details,
    });
    expect(owner.codes).toEqual([]);
  });

  it('fields in a refusal of the owner have public names', async () => {
    const { owner, execute } = wired();
    owner.refusal = new InvalidInput({ missing: ['nombre', 'unheard'], invalid: ['codigo'], unknown: 2 });
    const details = { missing_fields: ['name'], invalid_fields: ['code'] };
    await expect(execute(caller(), creation)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
    const { details: found } = (await execute(caller(), creation).catch((error: unknown) => error)) as InvalidInput;
    expect(found).toEqual(details);
    owner.refusal = new InvalidInput({ missing: [], invalid: ['codigo'], unknown: 0 });
    const one = (await execute(caller(), creation).catch((error: unknown) => error)) as InvalidInput;
    expect(one.details).toEqual({ invalid_fields: ['code'] });
  });

  it('any other refusal of the owner stays as it is', async () => {
    const { owner, execute } = wired();
    owner.refusal = new Conflict('It exists.', { codigo: 1 });
    await expect(execute(caller(), creation)).rejects.toBe(owner.refusal);
  });
});

describe('an operation that needs a confirmation', () => {
  it('without confirmation its effect is counted and nothing is executed', async () => {
    const { owner, execute } = wired();
    const outcome = await execute(caller(), deletion);
    expect(outcome).toMatchObject({ kind: 'write_confirm', executed: false, confirmRequired: true });
    expect(outcome).not.toHaveProperty('result');
    const { input, effect, preview_token } = outcome.preview as {
      input: object;
      effect: object;
      preview_token: string;
    };
    expect(input).toEqual({ code: ANA });
    expect(effect).toEqual({ code: ANA, dependencies: [], total: 3, blocked: false });
    expect(preview_token).toMatch(/^\d+\.\d+\.[\w-]{43}$/);
    expect(owner.codes).toEqual([previewUserDeletion.code]);
  });

  it('confirmed without a token it is executed without a count', async () => {
    const { owner, execute } = wired();
    const outcome = await execute(caller(), { ...deletion, confirm: true });
    expect(outcome).toMatchObject({ code: deleteUser.code, executed: true });
    expect(owner.codes).toEqual([deleteUser.code]);
  });

  it('the token of a preview confirms the counted effect alone', async () => {
    const { owner, execute } = wired();
    const scope = caller();
    const token = async (): Promise<string> => String((await execute(scope, deletion)).preview?.['preview_token']);
    const confirmed = { ...deletion, confirm: true };
    const previewToken = await token();
    await expect(execute(scope, { ...confirmed, previewToken })).resolves.toMatchObject({ executed: true });
    owner.dependents += 1;
    await expect(execute(scope, { ...confirmed, previewToken })).rejects.toBeInstanceOf(PreviewOutdated);
    const fresh = await token();
    const other = { code: deleteUser.code, input: { code: 'otra@example.test' }, confirm: true };
    await expect(execute(scope, { ...other, previewToken: fresh })).rejects.toBeInstanceOf(PreviewOutdated);
    expect(owner.codes.filter((code) => code === deleteUser.code)).toHaveLength(1);
  });

  it('a token beside an operation without a preview is ignored', async () => {
    const { owner, execute } = wired();
    await expect(execute(caller(), { ...creation, previewToken: 'x' })).resolves.toMatchObject({ executed: true });
    expect(owner.codes).toEqual([createUser.code]);
  });

  it('an operation without its preview fails and executes nothing', async () => {
    const { owner, execute } = wired([{ ...deleteUser, preview: null }]);
    await expect(execute(caller(), deletion)).rejects.toThrow('users.delete has no preview.');
    expect(owner.codes).toEqual([]);
  });
});

describe('an operation with an idempotency key', () => {
  it('a repeated write is sent once, under a key of its owner', async () => {
    const { owner, execute } = wired();
    const scope = caller();
    const [first, second] = [await execute(scope, creation, 'k'), await execute(scope, creation, 'k')];
    expect(second).toEqual(first);
    expect(owner.sent).toHaveLength(1);
    expect(owner.sent[0]?.idempotencyKey).toMatch(/^[0-9a-f]{64}$/);
  });

  it('the same key for another input or operation is refused', async () => {
    const { owner, execute } = wired();
    const scope = caller();
    await execute(scope, creation, 'k');
    const others = [
      { ...creation, input: { ...draft, name: 'Eva' } },
      { ...deletion, confirm: true },
    ];
    for (const other of others) await expect(execute(scope, other, 'k')).rejects.toBeInstanceOf(KeyTaken);
    expect(owner.codes).toEqual([createUser.code]);
  });

  it('a read ignores the key', async () => {
    const { owner, execute } = wired();
    const scope = caller();
    for (let round = 0; round < 2; round += 1) await execute(scope, { code: listUsers.code }, 'k');
    expect(owner.sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual([undefined, undefined]);
  });

  it('a preview leaves the key to the confirmation', async () => {
    const { owner, execute } = wired();
    const scope = caller();
    await execute(scope, deletion, 'k');
    await expect(execute(scope, { ...deletion, confirm: true }, 'k')).resolves.toMatchObject({ executed: true });
    expect(owner.codes).toEqual([previewUserDeletion.code, deleteUser.code]);
  });

  it('a confirmation with a stale token gives its key back', async () => {
    const { owner, execute } = wired();
    const scope = caller();
    const confirmed = { ...deletion, confirm: true };
    await expect(execute(scope, { ...confirmed, previewToken: '1.2.x' }, 'k')).rejects.toBeInstanceOf(PreviewOutdated);
    const previewToken = String((await execute(scope, deletion)).preview?.['preview_token']);
    await expect(execute(scope, { ...confirmed, previewToken }, 'k')).resolves.toMatchObject({ executed: true });
    expect(owner.codes.filter((code) => code === deleteUser.code)).toHaveLength(1);
  });
});
