import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import formats from 'ajv-formats';
import { allOperations } from '@acervo/contracts';
import { operationRows } from '@acervo/rbac';
import { type Denied, Installation, type Item } from './operations/fixture';
import { foreign } from './operations/other-group';
import { Program } from './program';
import { type Row, table } from './operations/table';

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
}
interface Schema {
  readonly properties: Readonly<Record<string, Bounds>>;
  readonly required: readonly string[];
}
interface Detail extends Item {
  readonly input_schema: Schema;
  readonly output_schema: Schema;
}

/** Values of another type, and the first ones beyond each bound. */
const beyond = ({ minimum, maximum, maxLength, maxItems, enum: choices }: Bounds): readonly unknown[] => [
  { a: 1 },
  ...(maximum === undefined ? [] : [maximum + 1, 1.5, '1']),
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => 'x')]),
  ...(choices === undefined ? [] : ['NADA']),
];

const ajv = formats(new Ajv2020({ allErrors: true, strict: false }));
let installation: Installation;
const details = new Map<string, Detail>();
const kindOf = (code: string): Item['kind'] => details.get(code)?.kind ?? 'read';

beforeAll(async () => {
  installation = await Installation.open();
  for (const { code } of table) {
    const { body } = await installation.program.ask('GET', `/v1/operations/${code}`);
    details.set(code, body as unknown as Detail);
  }
}, 120_000);
afterAll(() => installation.close(), 30_000);

const by = (who: keyof Denied): Record<string, string> => ({ authorization: `Bearer ${installation.denied[who]}` });

describe('the catalogue', () => {
  it('lists what is published, and this suite tries all of it', async () => {
    const { body } = await installation.program.ask('GET', '/v1/operations');
    const listed = (body['operations'] as Item[]).map(({ code }) => code);
    expect(listed).toEqual(allOperations().map(({ code }) => code));
    expect(body['total']).toBe(listed.length);
    expect(table.map(({ code }) => code).toSorted()).toEqual(listed);
  });
  it('shows nothing to whoever reaches no screen', async () => {
    const { body } = await installation.program.ask('GET', '/v1/operations', undefined, by('withoutScreens'));
    expect(body).toEqual({ operations: [], total: 0 });
  });
  it('shows to the lowest level, whatever screens it has, what the contract gives it', async () => {
    const { body } = await installation.program.ask('GET', '/v1/operations', undefined, by('ofLowLevel'));
    const published = new Set(table.map(({ code }) => code));
    const lowest = operationRows.filter(({ code, profile }) => profile === 'USUARIO' && published.has(code));
    expect((body['operations'] as Item[]).map(({ code }) => code)).toEqual(lowest.map(({ code }) => code));
  });
  it.each(['nada.list', 'users.preview_delete', 'api_keys.create', 'x'])('knows of no %s', async (code) => {
    for (const answer of [
      await installation.program.ask('GET', `/v1/operations/${code}`),
      await installation.run(code, { input: { secreto: 1 } }),
    ])
      expect([answer.status, answer.body['code'], answer.body['details']]).toEqual([404, 'NOT_FOUND', {}]);
  });
});

describe('another group', () => {
  it('has everything that this one is denied', async () => {
    const { entity_code, area_code, location_code, document_code, run, code, role_code } = foreign;
    const { other } = installation;
    const told = await Promise.all([
      other('areas.list', { entity_code }),
      other('locations.list', { limit: 100 }),
      other('documents.get', { document_code }),
      other('queue.list_run', { run }),
      other('users.list_roles', { code }),
      other('roles.list'),
    ]);
    for (const [index, named] of [area_code, location_code, document_code].entries())
      expect(JSON.stringify(told[index])).toContain(`"${named}"`);
    expect(JSON.stringify(told.at(-1))).toContain(`"${role_code}"`);
  });
});

describe('what is executed', () => {
  it.each([
    [{ inputs: {} }, { unknown_field_count: 1 }],
    [{ input: [] }, { invalid_fields: ['input'] }],
    [{ input: {}, confirm: 'yes' }, { invalid_fields: ['confirm'] }],
  ])('has a body of the declared shape: %j', async (body, found) => {
    const answer = await installation.run('users.list', body);
    expect([answer.status, answer.body['details']]).toEqual([422, found]);
  });
  it('names what its owner finds wrong as the schema calls it', async () => {
    const input = { code: 'admin@acervo.local', default_entity: null, default_area: 'A1' };
    const answer = await installation.run('users.update', { input });
    expect([answer.status, answer.body['details']]).toEqual([422, { invalid_fields: ['default_area'] }]);
  });
  it('has one effect for one idempotency key, and another body under it is a conflict', async () => {
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
  it('calls the roles of the product by their public names, and knows them by no other', async () => {
    const { items } = await installation.result('roles.list');
    const codes = (items as { code: string }[]).map(({ code }) => code);
    expect(codes.slice(0, 4)).toEqual(['GROUP_ADMINISTRATOR', 'SYSTEM', 'USER', 'FINAL_USER']);
    const input = { code: 'nadie@example.org', role_code: 'USUARIO' };
    const answer = await installation.run('users.add_role', { input });
    expect([answer.status, answer.body['details']]).toEqual([422, { invalid_fields: ['role_code'] }]);
  });
  it('is refused with the token of a preview that does not hold any more', async () => {
    await installation.result('users.create', { code: 'breve@example.org', name: 'Breve' });
    const input = { code: 'breve@example.org' };
    const preview = (await installation.run('users.delete', { input })).body['preview'] as { preview_token: string };
    await installation.result('users.add_entity', { ...input, entity_code: 'E1' });
    const confirmed = { input, confirm: true, preview_token: preview.preview_token };
    expect((await installation.run('users.delete', confirmed)).status).toBe(409);
    const anew = (await installation.run('users.delete', { input })).body['preview'] as { preview_token: string };
    const answer = await installation.run('users.delete', { ...confirmed, preview_token: anew.preview_token });
    expect([answer.status, answer.body['executed']]).toEqual([200, true]);
  });
});

describe.each(table.map((row) => [row.code, row] as const))('%s', (code, row: Row) => {
  let input: object;
  let validate: ValidateFunction;
  beforeAll(async () => {
    input = await row.input(installation);
    validate = ajv.compile(details.get(code)?.output_schema ?? {});
  });
  const schema = (): Schema => details.get(code)?.input_schema ?? { properties: {}, required: [] };

  it('does not exist for an administrator without its screens', async () => {
    const answer = await installation.run(code, { input, confirm: true }, by('withoutScreens'));
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
  });
  it('does not exist below its level, whatever screens are there', async () => {
    const shown = await installation.program.ask('GET', `/v1/operations/${code}`, undefined, by('ofLowLevel'));
    const forAll = operationRows.find((each) => each.code === code)?.profile === 'USUARIO';
    expect(shown.status).toBe(forAll ? 200 : 404);
    if (forAll) return;
    const answer = await installation.run(code, { input, confirm: true }, by('ofLowLevel'));
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
  });
  it('takes a closed input and counts what it does not know', async () => {
    const answer = await installation.run(code, { input: { ...input, secreto_1: 1, secreto_2: 2 }, confirm: true });
    expect([answer.status, answer.body['details']]).toEqual([422, { unknown_field_count: 2 }]);
    expect(JSON.stringify(answer.body)).not.toContain('secreto');
  });
  it('names every field that it lacks', async () => {
    for (const field of schema().required) {
      const answer = await installation.run(code, { input: { ...input, [field]: undefined }, confirm: true });
      expect([answer.status, answer.body['details']]).toEqual([422, { missing_fields: [field] }]);
    }
  });
  it('names every field of the wrong type or beyond its bounds', async () => {
    for (const [field, bounds] of Object.entries(schema().properties))
      for (const wrong of beyond(bounds)) {
        const answer = await installation.run(code, { input: { ...input, [field]: wrong }, confirm: true });
        const found = [field, answer.status, answer.body['details']];
        expect([...found, wrong]).toEqual([field, 422, { invalid_fields: [field] }, wrong]);
      }
  });
  it('finds nothing of another group, as if it were not there', async () => {
    if (row.absent === undefined) return;
    const absent = { ...input, ...row.absent };
    for (const confirm of kindOf(code) === 'write_confirm' ? [false, true] : [true]) {
      const answer = await installation.run(code, { input: absent, confirm });
      expect([confirm, answer.status, answer.body['code']]).toEqual([confirm, 404, 'NOT_FOUND']);
    }
  });
  it('previews what asks for a confirmation, and does nothing', async () => {
    if (kindOf(code) !== 'write_confirm') return;
    const before = await installation.audited(code, 'SUCCEEDED', 0);
    for (const body of [{ input }, { input, confirm: false }]) {
      const answer = await installation.run(code, body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        ...{ code, kind: 'write_confirm', executed: false, confirm_required: true },
        preview: { input, effect: expect.any(Object) as object, preview_token: expect.any(String) as string },
      });
    }
    expect(await installation.audited(code, 'SUCCEEDED', 0)).toBe(before);
  });
  it('answers as its schema says, once for one idempotency key, and is audited once', async () => {
    const isWrite = kindOf(code) !== 'read';
    const before = isWrite ? await installation.audited(code, 'SUCCEEDED', 0) : 0;
    const key = { 'idempotency-key': `table-${code}` };
    const { status, body } = await installation.run(code, { input, confirm: true }, isWrite ? key : {});
    expect([status, body['code'], body['executed']]).toEqual([200, code, true]);
    expect([validate(body['result']), validate.errors]).toEqual([true, null]);
    if (!isWrite) return;
    const again = await installation.run(code, { input, confirm: true }, key);
    expect([again.status, again.body]).toEqual([200, body]);
    expect(await installation.audited(code, 'SUCCEEDED', before + 1)).toBe(before + 1);
  });
  it('says so when the effect is there already', async () => {
    if (row.again === undefined) return;
    const before = await installation.audited(code, 'REFUSED', 0);
    const answer = await installation.run(code, { input, confirm: true });
    expect(answer.status).toBe(row.again);
    expect(await installation.audited(code, 'REFUSED', before + 1)).toBe(before + 1);
  });
});

describe('the chain of audit records', () => {
  it('is walked from the terminal while the product runs', async () => {
    const { total } = await installation.result('audit.list');
    const other = Program.run({ ...installation.request, folder: null, verifyAudit: true });
    await other.ended;
    const [, links] = /^Audit: (\d+) records, each as it was written\.$/m.exec(other.printed) ?? [];
    expect(Number(links)).toBeGreaterThanOrEqual(Number(total));
  });
});
