import { randomUUID } from 'node:crypto';
import {
  countSkillResults,
  listGroupParameters,
  listParameterCategories,
  listParameterTypes,
  NotFound,
  readParameters,
  readWebToken,
  updateGroupParameter,
  updateGroupParameters,
} from '@acervo/contracts';
import { WorkScope } from '@acervo/rbac';
import { Organisation } from './support';

type Item = Record<string, unknown>;
const SECRET = 'a-token-that-nobody-reads-again';

let place: Organisation;
let admin: string;
beforeAll(async () => {
  place = await Organisation.open();
  admin = place.admin;
});
afterAll(() => place.close());

const set = (parameter_code: string, value: string | null, bearer = admin) =>
  place.outcome(bearer, updateGroupParameter, { parameter_code, value });
const listed = async (bearer = admin, input: Item = {}): Promise<Item[]> =>
  (await place.ask(bearer, listGroupParameters, input))['parameters'] as Item[];
const one = async (code: string, bearer = admin): Promise<Item | undefined> =>
  (await listed(bearer)).find((item) => item['code'] === code);

describe('the parameters of a group', () => {
  it('a parameter has its default until it is set and after reset', async () => {
    const untouched = { value: '10', default_value: '10', is_set: false, type: 'INTEGER', category: 'ASSISTANT' };
    expect(await one('ANSWER_DOCUMENTS')).toMatchObject(untouched);
    expect(await set('ANSWER_DOCUMENTS', '25')).toMatchObject({ value: '25', default_value: '10', is_set: true });
    expect(await one('ANSWER_DOCUMENTS')).toMatchObject({ value: '25', is_set: true });
    expect(await set('ANSWER_DOCUMENTS', null)).toMatchObject(untouched);
  });
  it.each([
    ['ANSWER_DOCUMENTS', '51'],
    ['ANSWER_DOCUMENTS', 'diez'],
    ['ANSWER_SIMILARITY', '1.1'],
    ['HELP_ENABLED', 'sí'],
    ['AGENT_CONFIRMS', 'no'],
    ['LANGUAGE', 'fr'],
    ['SPACES_REFRESH_HOURS', '-1'],
    ['SPACES_REFRESH_HOURS', '8761'],
    ['CONTACT', ' '],
    ['WEB_TOKEN', ''],
    ['WEB_TOKEN_HOST', 'https://handbook.example.org'],
    ['WEB_TOKEN_HOST', 'handbook.example.org/pages'],
    ['WEB_TOKEN_HOST', 'user@handbook.example.org'],
    ['WEB_TOKEN_HOST', 'handbook example'],
  ])('%s refuses %j without repeating the value', async (parameter_code, value) => {
    await expect(place.ask(admin, updateGroupParameter, { parameter_code, value })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { invalid_fields: ['value'] },
    });
    expect(await one(parameter_code)).toMatchObject({ is_set: false });
  });
  it('a parameter that the product lacks answers NOT_FOUND', async () => {
    expect(await set('NADA', '1')).toBe('NOT_FOUND');
  });
  it('the prompt of a skill says how many documents a change concerns', async () => {
    place.folders.skillResults = [{ skillCode: 'OBLIGATIONS', documents: 7 }];
    const code = 'SKILL_PROMPT_OBLIGATIONS';
    expect(await one(code)).toMatchObject({ documents: 7, value: null, category: 'ASSISTANT', type: 'TEXT' });
    expect(await one('SKILL_MODEL_PARTIES')).toMatchObject({ documents: 0 });
    expect(await set(code, 'x'.repeat(4_000))).toMatchObject({ documents: 7, is_set: true });
    await expect(place.ask(admin, updateGroupParameter, { parameter_code: code, value: '' })).rejects.toThrow();
    expect((await one('CONTACT'))?.['documents']).toBeUndefined();
    place.folders.skillResults = undefined;
    expect(await set(code, null)).toMatchObject({ is_set: false });
    expect((await one(code))?.['documents']).toBeUndefined();
  });
  it('ingestion is asked about skills for permitted requests alone', async () => {
    const code = 'SKILL_PROMPT_OBLIGATIONS';
    const key = await place.key({ entity: 'E1' });
    place.folders.asked.length = 0;
    expect(await place.outcome(key, listGroupParameters)).toBe('FORBIDDEN');
    expect(await set(code, 'x', key)).toBe('FORBIDDEN');
    expect(await set(code, ' ')).toBe('VALIDATION_ERROR');
    expect(place.folders.asked).toEqual([]);
    await set(code, null);
    expect(place.folders.asked).toContain(countSkillResults.code);
  });
  it('a service reads when a value was set', async () => {
    const read = () => {
      const scope = new WorkScope(place.groupId, 'ingestion', 'test');
      const input = { parameterCodes: ['SKILL_PROMPT_PARTIES'] };
      return place.auth.callsOf('ingestion').send(readParameters, scope, input);
    };
    expect((await read()).values).toEqual([{ parameterCode: 'SKILL_PROMPT_PARTIES', value: null }]);
    await set('SKILL_PROMPT_PARTIES', 'Name the parties.');
    const [value] = (await read()).values;
    expect([value?.value, Number.isNaN(Date.parse(value?.setAt ?? ''))]).toEqual(['Name the parties.', false]);
  });
  it('parameters are listed by category', async () => {
    const codes = (await listed(admin, { category: 'ORGANIZATION' })).map(({ code }) => code);
    expect(codes).toEqual(['CONTACT', 'LANGUAGE', 'PROCESS_RETENTION_DAYS', 'SPACES_REFRESH_HOURS']);
    expect((await listed()).length).toBeGreaterThan(codes.length);
  });
  it('parameters of the organisation are set all together or not at all', async () => {
    const both = (language: string, contact: string) =>
      place.outcome(admin, updateGroupParameters, {
        parameters: [
          { parameter_code: 'CONTACT', value: contact },
          { parameter_code: 'LANGUAGE', value: language },
        ],
      });
    expect(await both('fr', 'Ana')).toBe('VALIDATION_ERROR');
    expect(await one('CONTACT')).toMatchObject({ value: null, is_set: false });
    expect(await both('en', 'Ana')).toMatchObject({ parameters: [{ value: 'Ana' }, { value: 'en' }, {}, {}] });
    for (const parameters of [
      [],
      [
        { parameter_code: 'CONTACT', value: 'a' },
        { parameter_code: 'CONTACT', value: 'b' },
      ],
    ])
      expect(await place.outcome(admin, updateGroupParameters, { parameters })).toBe('VALIDATION_ERROR');
    const foreign = [{ parameter_code: 'HELP_ENABLED', value: 'true' }];
    expect(await place.outcome(admin, updateGroupParameters, { parameters: foreign })).toBe('NOT_FOUND');
  });
  it('each group has its own parameters', async () => {
    const other = await place.otherGroup();
    await set('CONTACT', 'de G1');
    expect(await one('CONTACT', other.admin)).toMatchObject({ is_set: false, value: null });
    await set('CONTACT', 'de G2', other.admin);
    expect(await one('CONTACT')).toMatchObject({ value: 'de G1' });
  });
  it('a service reads values in effect, of its group alone', async () => {
    const read = async (groupId: string, ...parameterCodes: string[]): Promise<unknown[]> => {
      const scope = new WorkScope(groupId, 'retrieval', 'test');
      const { values } = await place.auth.callsOf('retrieval').send(readParameters, scope, { parameterCodes });
      return values.map(({ parameterCode, value }) => [parameterCode, value]);
    };
    const codes = ['SPACES_REFRESH_HOURS', 'CONTACT'] as const;
    expect(await set('CONTACT', null)).toMatchObject({ is_set: false });
    expect(await set(codes[0], '24')).toMatchObject({ value: '24' });
    expect(await read(place.groupId, ...codes)).toEqual([
      [codes[0], '24'],
      [codes[1], null],
    ]);
    expect(await read(randomUUID(), codes[0])).toEqual([[codes[0], '0']]);
    for (const code of ['NADA', 'WEB_TOKEN']) await expect(read(place.groupId, code)).rejects.toThrow(NotFound);
  });
  it('a key fixed to an entity does not reach parameters', async () => {
    const key = await place.key({ entity: 'E1' });
    expect(await place.outcome(key, listGroupParameters)).toBe('FORBIDDEN');
    expect(await set('CONTACT', 'x', key)).toBe('FORBIDDEN');
  });
});

describe('a private parameter', () => {
  it('a private value appears in no answer, table or record', async () => {
    const answers = [await set('WEB_TOKEN', SECRET), await listed(), await one('WEB_TOKEN')];
    expect(answers[2]).toMatchObject({ is_set: true, private: true, value: null, default_value: null });
    expect(JSON.stringify(answers)).not.toContain(SECRET);
    const stored = await place.auth.change(
      `select p::text as row, encode(p.sealed, 'escape') as sealed, length(p.sealed) as bytes from auth.group_parameter p`,
    );
    const records = await place.auth.server.asOwner('auth', `select payload::text as payload from auth.outbox`);
    const dump = JSON.stringify([stored, records]);
    for (const form of [SECRET, Buffer.from(SECRET).toString('base64'), Buffer.from(SECRET).toString('hex')])
      expect(dump).not.toContain(form);
    expect(stored.find(({ bytes }) => Number(bytes) > SECRET.length)).toBeDefined();
  });
  it('the token of the web is opened for ingestion alone, with the host that gets it', async () => {
    const readBy = (service: 'ingestion' | 'retrieval') =>
      place.auth.callsOf(service).send(readWebToken, new WorkScope(place.groupId, service, 'test'), {});
    await set('WEB_TOKEN_HOST', null);
    await set('WEB_TOKEN', SECRET);
    expect(await readBy('ingestion')).toEqual({ host: null, token: null });
    expect(await set('WEB_TOKEN_HOST', 'Handbook.example.org')).toMatchObject({ value: 'handbook.example.org' });
    await set('WEB_TOKEN', SECRET);
    expect(await readBy('ingestion')).toEqual({ host: 'handbook.example.org', token: SECRET });
    await expect(readBy('retrieval')).rejects.toThrow();
    const otherGroup = new WorkScope(randomUUID(), 'ingestion', 'test');
    expect(await place.auth.callsOf('ingestion').send(readWebToken, otherGroup, {})).toEqual({
      host: null,
      token: null,
    });
  });
  it.each([null, 'evil.example.org'])('the host %s in place of another one deletes the token', async (host) => {
    await set('WEB_TOKEN_HOST', 'handbook.example.org');
    await set('WEB_TOKEN', SECRET);
    await set('WEB_TOKEN_HOST', 'HANDBOOK.example.org ');
    expect(await one('WEB_TOKEN')).toMatchObject({ is_set: true });
    await set('WEB_TOKEN_HOST', host);
    expect(await one('WEB_TOKEN')).toMatchObject({ is_set: false });
  });
  it('a first host deletes a token from before', async () => {
    await set('WEB_TOKEN_HOST', null);
    await set('WEB_TOKEN', SECRET);
    await set('WEB_TOKEN_HOST', 'evil.example.org');
    expect(await one('WEB_TOKEN')).toMatchObject({ is_set: false });
  });
  it('a private value can be replaced and removed', async () => {
    expect(await set('WEB_TOKEN', 'another')).toMatchObject({ is_set: true, value: null });
    expect(await set('WEB_TOKEN', null)).toMatchObject({ is_set: false, value: null });
  });
});

describe('the reference of parameters', () => {
  it('categories and types are described', async () => {
    const { categories } = await place.ask(admin, listParameterCategories);
    const counts = (categories as { parameters: number }[]).map(({ parameters }) => parameters);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe((await listed()).length);
    const { types } = await place.ask(admin, listParameterTypes);
    expect((types as Item[]).filter((type) => type['private'] === true).map(({ code }) => code)).toEqual(['SECRET']);
    expect(types).toHaveLength(7);
  });
});
