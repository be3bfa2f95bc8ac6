import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import formats from 'ajv-formats';
import { allOperations } from '@acervo/contracts';
import { beyond, lacking, rounds, type Schema } from './bounds';
import { type Denied, Installation, type Item } from './fixture';
import { identifiersIn } from './identifiers';
import { aspects, Matrix, type Tried } from './matrix';
import type { Answer } from '../harness/http-client';
import { foreign, foreignThings } from './other-group';
import { Program } from '../harness/program';
import { type Row, staleDifferences, table } from './table';

interface Detail extends Item {
  readonly input_schema: Schema;
  readonly output_schema: Schema;
}

const ajv = formats(new Ajv2020({ allErrors: true, strict: false }));
let installation: Installation;
const details = new Map<string, Detail>();
const kindOf = (code: string): Item['kind'] => details.get(code)?.kind ?? 'read';
const schemaOf = (code: string): Schema => details.get(code)?.input_schema ?? { properties: {}, required: [] };
const isOfLowestLevel = (code: string): boolean =>
  allOperations().find((each) => each.code === code)?.profile === 'USUARIO';
const matrix = new Matrix();

beforeAll(async () => {
  installation = await Installation.open();
  for (const { code } of table) {
    const { body } = await installation.program.ask('GET', `/v1/operations/${code}`);
    details.set(code, body as unknown as Detail);
  }
});
afterAll(() => installation.close());

const by = (who: keyof Denied): Record<string, string> => ({ authorization: `Bearer ${installation.denied[who]}` });

/** The only detail of a refusal: the fields that it names. */
const namesIn = ({ body }: Answer, detail: string): unknown => {
  const { [detail]: names, ...others } = body['details'] as Record<string, unknown>;
  return Array.isArray(names) && Object.keys(others).length === 0 ? names.toSorted() : body;
};

/** A text, or an object with a text, that has the right type and may still need content. */
const isBlank = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.values(value).includes(''));

describe('the catalogue', () => {
  it('the catalogue equals the published operations, and all are tried', async () => {
    const { body } = await installation.program.ask('GET', '/v1/operations');
    const listed = (body['operations'] as Item[]).map(({ code }) => code);
    expect(listed).toEqual(allOperations().map(({ code }) => code));
    expect(body['total']).toBe(listed.length);
    expect(staleDifferences()).toEqual([]);
  });
  it('a user without screens sees an empty catalogue', async () => {
    const { body } = await installation.program.ask('GET', '/v1/operations', undefined, by('withoutScreens'));
    expect(body).toEqual({ operations: [], total: 0 });
  });
  it('the lowest level sees the operations of its contract only', async () => {
    const { body } = await installation.program.ask('GET', '/v1/operations', undefined, by('ofLowLevel'));
    const lowest = allOperations().filter(({ profile }) => profile === 'USUARIO');
    expect((body['operations'] as Item[]).map(({ code }) => code)).toEqual(lowest.map(({ code }) => code));
  });
  it.each(['nada.list', 'users.preview_delete', 'api_keys.create', 'x'])(
    'the operation %s does not exist',
    async (code) => {
      for (const answer of [
        await installation.program.ask('GET', `/v1/operations/${code}`),
        await installation.run(code, { input: { secreto: 1 } }),
      ])
        expect([answer.status, answer.body['code'], answer.body['details']]).toEqual([404, 'NOT_FOUND', {}]);
    },
  );
});

describe('another group', () => {
  it('the other group has everything that this one is denied', async () => {
    const { area, location, document, role } = foreign;
    const answers = await foreignThings(installation.other);
    for (const [index, named] of [area, location, document].entries())
      expect(JSON.stringify(answers[index])).toContain(`"${named}"`);
    expect(JSON.stringify(answers.at(-1))).toContain(`"${role}"`);
  });
});

describe('the execution of operations', () => {
  it.each([
    [{ inputs: {} }, { unknown_field_count: 1 }],
    [{ input: [] }, { invalid_fields: ['input'] }],
    [{ input: {}, confirm: 'yes' }, { invalid_fields: ['confirm'] }],
  ])('a body of another shape is refused: %j', async (body, found) => {
    const answer = await installation.run('users.list', body);
    expect([answer.status, answer.body['details']]).toEqual([422, found]);
  });
  it('a refusal of the service names fields as the schema does', async () => {
    const input = { code: 'admin@acervo.local', default_entity: null, default_area: 'A1' };
    const answer = await installation.run('users.update', { input });
    expect([answer.status, answer.body['details']]).toEqual([422, { invalid_fields: ['default_area'] }]);
  });
  it('one idempotency key has one effect, and another body conflicts', async () => {
    const body = { input: { code: 'E7', name: 'Siete' } };
    const headers = { 'idempotency-key': 'seven' };
    const [first, second] = [
      await installation.run('entities.create', body, headers),
      await installation.run('entities.create', body, headers),
    ];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    const other = await installation.run('entities.create', { input: { code: 'E8', name: 'Ocho' } }, headers);
    expect(other.status).toBe(409);
    await installation.result('entities.delete', { entity_code: 'E7' });
  });
  it('roles of the product have their public names only', async () => {
    const { items } = await installation.result('roles.list');
    const codes = (items as { code: string }[]).map(({ code }) => code);
    expect(codes.slice(0, 4)).toEqual(['GROUP_ADMINISTRATOR', 'SYSTEM', 'USER', 'FINAL_USER']);
    const input = { code: 'nadie@example.org', role_code: 'USUARIO' };
    const answer = await installation.run('users.add_role', { input });
    expect([answer.status, answer.body['details']]).toEqual([422, { invalid_fields: ['role_code'] }]);
  });
  it('a stale preview token is refused', async () => {
    await installation.result('users.create', { code: 'breve@example.org', name: 'Breve' });
    const input = { code: 'breve@example.org' };
    const preview = (await installation.run('users.delete', { input })).body['preview'] as { preview_token: string };
    await installation.result('users.add_entity', { ...input, entity_code: 'E1' });
    const confirmed = { input, confirm: true, preview_token: preview.preview_token };
    expect((await installation.run('users.delete', confirmed)).status).toBe(409);
    const renewed = (await installation.run('users.delete', { input })).body['preview'] as { preview_token: string };
    const answer = await installation.run('users.delete', { ...confirmed, preview_token: renewed.preview_token });
    expect([answer.status, answer.body['executed']]).toEqual([200, true]);
  });
});

describe.each(table.map((row) => [row.code, row] as const))('%s', (code, row: Row) => {
  let input: object;
  let validate: ValidateFunction;
  /** Audit records of its successes so far. */
  let successes: number;
  beforeAll(async () => {
    input = await row.input(installation);
    successes = isWrite() ? await succeeded(0) : 0;
    validate = ajv.compile(details.get(code)?.output_schema ?? {});
  });
  const isWrite = (): boolean => kindOf(code) !== 'read';
  const run = (body: object, more: Record<string, string> = {}) =>
    installation.run(code, { input: body, confirm: true }, more);
  const succeeded = (atLeast: number): Promise<number> => installation.audited(code, 'SUCCEEDED', atLeast);

  it('an administrator without its screens gets NOT_FOUND', async () => {
    const answer = await run(input, by('withoutScreens'));
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
    matrix.note(code, 'missing screen');
  });
  it('a user below its level gets NOT_FOUND, even with all screens', async () => {
    const shown = await installation.program.ask('GET', `/v1/operations/${code}`, undefined, by('ofLowLevel'));
    expect(shown.status).toBe(isOfLowestLevel(code) ? 200 : 404);
    if (isOfLowestLevel(code)) return;
    const answer = await run(input, by('ofLowLevel'));
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
    matrix.note(code, 'wrong profile');
  });
  it('unknown fields are refused and counted', async () => {
    const answer = await run({ ...input, secreto_1: 1, secreto_2: 2 });
    expect([answer.status, answer.body['details']]).toEqual([422, { unknown_field_count: 2 }]);
    expect(JSON.stringify(answer.body)).not.toContain('secreto');
    matrix.note(code, 'unknown field');
  });
  it('every missing field is named', async () => {
    for (const { value, fields } of rounds(input, lacking(schemaOf(code)))) {
      const answer = await run(value);
      const missing = namesIn(answer, 'missing_fields');
      expect({ value, status: answer.status, missing }).toEqual({ value, status: 422, missing: fields });
      matrix.note(code, 'missing field');
    }
  });
  it('every field of a wrong type or beyond bounds is named', async () => {
    const wrong = Object.entries(schemaOf(code).properties).map(([name, bounds]) => beyond(name, bounds));
    for (const { value, fields } of rounds(
      input,
      wrong.map((each) => each.filter((one) => !isBlank(one.value))),
    )) {
      const answer = await run(value);
      const invalid = namesIn(answer, 'invalid_fields');
      expect({ value, status: answer.status, invalid }).toEqual({ value, status: 422, invalid: fields });
      matrix.note(code, 'bounds');
    }
    // A blank text may have the right type and no meaning: its error has another status where no other field is wrong.
    for (const { field, value } of wrong.flat().filter((one) => isBlank(one.value))) {
      const answer = await run({ ...input, [field.split('.', 1)[0] ?? '']: value });
      const status = answer.status === 400 ? 400 : 422;
      const found = { value, status: answer.status, details: answer.body['details'] };
      expect(found).toEqual({ value, status, details: { invalid_fields: [field] } });
      matrix.note(code, 'bounds');
    }
  });
  it('an identifier of another group returns NOT_FOUND in every field', async () => {
    for (const { path, value } of identifiersIn(code)) {
      const [field = ''] = path.split('.');
      const named = value === foreign.group ? installation.otherGroup : value;
      const absent = { ...input, ...row.beside?.[field], [field]: named };
      for (const confirm of kindOf(code) === 'write_confirm' ? [false, true] : [true]) {
        const answer = await installation.run(code, { input: absent, confirm });
        const found = { path, confirm, status: answer.status, code: answer.body['code'] };
        expect(found).toEqual({ path, confirm, status: 404, code: 'NOT_FOUND' });
      }
      matrix.note(code, 'foreign identifier');
    }
  });
  it('an unconfirmed operation returns a preview and changes nothing', async () => {
    if (kindOf(code) !== 'write_confirm') return;
    for (const body of [{ input }, { input, confirm: false }]) {
      const answer = await installation.run(code, body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        ...{ code, kind: 'write_confirm', executed: false, confirm_required: true },
        preview: { input, effect: expect.any(Object) as object, preview_token: expect.any(String) as string },
      });
    }
    expect(await succeeded(successes)).toBe(successes);
    matrix.note(code, 'preview');
  });
  it('the result fits its schema, and only writes are audited', async () => {
    const key = { 'idempotency-key': `table-${code}` };
    const { status, body } = await run(input, isWrite() ? key : {});
    expect([status, body['code'], body['executed']]).toEqual([200, code, true]);
    expect([validate(body['result']), validate.errors]).toEqual([true, null]);
    matrix.note(code, 'allowed', 'execute');
    if (isWrite()) {
      const again = await run(input, key);
      expect([again.status, again.body]).toEqual([200, body]);
    }
    successes += isWrite() ? 1 : 0;
    expect(await succeeded(successes)).toBe(successes);
    matrix.note(code, 'audit record');
  });
  it('a repeated operation conflicts, finds nothing or repeats its effect', async () => {
    const { again } = row;
    const refusals = again === 200 ? 0 : await installation.audited(code, 'REFUSED', 0);
    const answer = await run(input);
    expect([answer.status, answer.body['code']]).toEqual([again, answer.status === 200 ? code : answer.body['code']]);
    if (again === 200) {
      expect([validate(answer.body['result']), validate.errors]).toEqual([true, null]);
      successes += isWrite() ? 1 : 0;
      expect(await succeeded(successes)).toBe(successes);
    } else expect(await installation.audited(code, 'REFUSED', refusals + 1)).toBe(refusals + 1);
    matrix.note(code, 'repeat');
  });
});

describe('this suite', () => {
  const triedOf = (code: string): Tried => ({
    ...{ code, kind: kindOf(code), lowestLevel: isOfLowestLevel(code), schema: schemaOf(code) },
  });
  it('every applicable aspect of every operation is tried', () => {
    expect(matrix.holes(table.map(({ code }) => triedOf(code)))).toEqual([]);
  });
  it('a missing trial is reported as a hole', () => {
    const found = new Matrix().holes([triedOf('documents.revert')]);
    expect(found).toHaveLength(aspects.length - 1);
    expect(found).not.toContain('documents.revert: wrong profile');
  });
});

describe('the chain of audit records', () => {
  it('the audit chain is verified from the terminal at run time', async () => {
    const { total } = await installation.result('audit.list');
    const other = Program.run({ ...installation.request, folder: null, commands: [{ name: 'verify-audit' }] });
    await other.ended;
    const [, links] = /^Audit: (\d+) records, each as it was written\.$/m.exec(other.printed) ?? [];
    expect(Number(links)).toBeGreaterThanOrEqual(Number(total));
  });
});
