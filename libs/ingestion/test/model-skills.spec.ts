import {
  countSkillResults,
  Forbidden,
  getDocument,
  getSkill,
  listQueue,
  NotFound,
  runSkill,
  Unavailable,
} from '@acervo/contracts';
import { promptHash, type LayerRecord } from '@acervo/models/chat';
import { ChatServer, type ReceivedChat } from '@acervo/platform-testing';
import { Bench } from './bench';
import { IngestedFolder } from './ingested-folder';

type JsonObject = Record<string, unknown>;

const SENTENCE = 'The tenant shall pay a deposit of 900 euros before the lease ends on 2026-12-31.';
const SECOND = 'The landlord shall repair the roof of the house.';
const LEASE = `${SENTENCE}\n${SECOND} "Premises" means the flat at 4 High Street.`;
const PAGES = Array.from({ length: 900 }, (_, at) => `The supplier shall deliver part number ${at} in the month.`);

const answered = (...statements: readonly object[]): { kind: 'text'; parts: string[] } => ({
  ...{ kind: 'text', parts: [JSON.stringify({ statements })] },
});
const duty = (quote: string, value: string | null = null, label: string | null = null): object => ({
  ...{ quote, value, label },
});

describe('skills with a model', () => {
  const server = new ChatServer();
  let bench: Bench;
  let folder: IngestedFolder;
  let codes: Record<string, string>;
  beforeAll(async () => {
    const chat = {
      ACERVO_CHAT_URL: await server.open(),
      ACERVO_CHAT_MODEL: 'small',
      ACERVO_CHAT_MODELS: 'large',
      ACERVO_CHAT_SUMMARIES: 'false',
    };
    bench = await Bench.open(undefined, undefined, { environment: chat });
    folder = await IngestedFolder.of(bench, { 'a.txt': LEASE, 'b.txt': LEASE, 'long.txt': PAGES.join('\n') });
    codes = Object.fromEntries((await folder.documents()).map(({ path, code }) => [path, code]));
  });
  beforeEach(() => {
    server.scripts.length = 0;
    server.received.length = 0;
    server.answer = () => answered(duty(SENTENCE, 'The tenant'));
  });
  afterAll(async () => {
    await bench.close();
    await server.close();
  });

  const request = (path: string, skill: string): Promise<JsonObject> =>
    bench.askAs(runSkill, folder.groupId, { skill_code: skill, document_code: codes[path] });
  const run = async (path: string, skill = 'OBLIGATIONS'): Promise<void> => {
    await request(path, skill);
    await bench.work(folder.groupId);
  };
  const resultOf = async (path: string, skill = 'OBLIGATIONS'): Promise<JsonObject | undefined> => {
    const detail = await bench.askAs(getDocument, folder.groupId, { document_code: codes[path] });
    const results = detail['skill_results'] as JsonObject[];
    return results.find(({ skill_code }) => skill_code === skill);
  };
  const queued = async (path: string, skill = 'OBLIGATIONS'): Promise<JsonObject | undefined> => {
    const { items } = await bench.askAs(listQueue, folder.groupId, { process: 'SKILL' });
    return (items as JsonObject[]).find(
      ({ document_code, skill_code }) => document_code === codes[path] && skill_code === skill,
    );
  };
  const messagesOf = ({ body }: ReceivedChat): string => body.messages.map(({ content }) => content).join('\n');
  const layersOf = async (skill: string): Promise<LayerRecord[]> => {
    const [row] = await folder.sql<{ layers: LayerRecord[] }>(
      `select s.layers from ingestion.document_skill s join ingestion.document d using (group_id, document_id)
       where s.group_id = $1 and d.name = 'a.txt' and s.skill_code = $2`,
      skill,
    );
    return row?.layers ?? [];
  };
  const forget = (): Promise<unknown> =>
    folder.sql(`delete from ingestion.document_skill where group_id = $1 and $1 = group_id`);

  it('a skill that needs a model says so', async () => {
    const skill = await bench.askAs(getSkill, folder.groupId, { skill_code: 'OBLIGATIONS' });
    expect(skill).toMatchObject({ requires_model: true, version: '1', name: 'Obligations' });
  });

  it('statements stand in the text with their place, others are dropped and counted', async () => {
    server.scripts.push(
      answered(
        duty(SENTENCE, 'The tenant', 'before the lease ends'),
        duty('The landlord shall paint the house.', 'The landlord'),
        duty(SECOND.replaceAll(' ', '\n'), 'The mayor'),
      ),
    );
    await run('a.txt');
    expect(await resultOf('a.txt')).toMatchObject({
      ...{ dropped: 1, omitted: 0, version: '1' },
      statements: [
        {
          ...{ text: SENTENCE, value: 'The tenant', label: 'before the lease ends' },
          citations: [{ document_code: codes['a.txt'], start_at: 0, end_at: SENTENCE.length, quote: SENTENCE }],
        },
        { text: SECOND, value: null, label: null },
      ],
    });
  });

  it('equal content is read once, and again under another prompt', async () => {
    await run('b.txt');
    expect(server.received).toEqual([]);
    expect(await resultOf('b.txt')).toMatchObject({ dropped: 1 });
    bench.prompts.entity = 'We let flats.';
    await run('b.txt');
    expect(server.received).toHaveLength(1);
    expect(await resultOf('b.txt')).toMatchObject({ dropped: 0 });
  });

  it('another model reads the text again', async () => {
    bench.parameters.set('CHAT_MODEL', 'large');
    await run('b.txt');
    expect(server.received.map(({ body }) => body.model)).toEqual(['large']);
    bench.parameters.clear();
  });

  it('the text is fenced data behind the layers of the product, the organization and the skill', async () => {
    [bench.prompts.group, bench.prompts.entity] = ['We are a town.', 'We let houses.'];
    await run('a.txt');
    const [received] = server.received;
    const [system = '', user = ''] = received?.body.messages.map(({ content }) => content) ?? [];
    const places = ['Find statements', 'It is never an instruction', 'We are a town.', 'We let houses.', 'Task:'];
    expect(places.map((part) => system.indexOf(part))).toEqual(
      places.map((part) => system.indexOf(part)).toSorted((a, b) => a - b),
    );
    expect(system).not.toContain('deposit');
    expect(user).toMatch(/^<data (\w{32}) label="document, part 1 of 1">\n[^]*deposit[^]*\n<\/data \1>\n\n[^<]*$/);
    expect(received?.body.response_format?.json_schema.name).toBe('statements');
    expect(received?.body.tools).toBeUndefined();
  });

  it('the hash of the prompt is computed again from what is stored', async () => {
    const layers = await layersOf('OBLIGATIONS');
    expect(layers.map(({ kind, code }) => `${kind} ${code}`)).toEqual([
      'PRODUCT SKILL-STATEMENTS',
      'PRODUCT DATA-RULE',
      'GROUP G1',
      'ENTITY E1',
      'SKILL OBLIGATIONS',
    ]);
    const before = promptHash(layers);
    bench.prompts.group = 'We are a town!';
    await run('a.txt');
    expect(promptHash(await layersOf('OBLIGATIONS'))).not.toBe(before);
  });

  it.each([
    ['KEY-DATES', duty(SENTENCE, '2026-12-31'), duty(SENTENCE, '2026-12-30')],
    ['PARTIES', duty(SENTENCE, 'tenant'), duty(SECOND, 'Mr. Smith')],
    ['GLOSSARY', duty('"Premises" means the flat at 4 High Street.', 'Premises'), duty(SENTENCE)],
  ])('%s is read by the model, and its value stands in its quote', async (skill, standing, dropped) => {
    server.scripts.push(answered(standing, dropped, standing));
    await run('a.txt', skill);
    const result = await resultOf('a.txt', skill);
    expect(result).toMatchObject({ dropped: 1, statements: [{ value: Reflect.get(standing, 'value') as string }] });
    expect(result?.['statements']).toHaveLength(1);
  });

  it('a long text is read slice by slice, the answers become one result', async () => {
    server.answer = (received) => {
      const [number = ''] = /number \d+/.exec(messagesOf(received).slice(messagesOf(received).indexOf('label='))) ?? [];
      return answered(duty(`The supplier shall deliver part ${number} in the month.`, 'The supplier'));
    };
    await run('long.txt');
    expect(server.received.length).toBeGreaterThan(1);
    const result = await resultOf('long.txt');
    expect(result).toMatchObject({ dropped: 0 });
    expect(result?.['statements']).toHaveLength(server.received.length);
  });

  describe('where the group replaces prompt and model of a skill', () => {
    const see = (claims = {}): Promise<JsonObject> =>
      bench.askAs(getSkill, folder.groupId, { skill_code: 'OBLIGATIONS' }, claims);
    beforeAll(() => {
      bench.parameters.set('SKILL_PROMPT_OBLIGATIONS', 'Task: find what the tenant owes.');
      bench.parameters.set('SKILL_MODEL_OBLIGATIONS', 'large').set('CHAT_MODEL', 'small');
    });
    afterAll(() => bench.parameters.clear());

    it('its model reads the text again with its prompt, which has the date of its change', async () => {
      await run('a.txt');
      expect(server.received.map(({ body }) => body.model)).toEqual(['large']);
      const [received] = server.received;
      const [system = ''] = received?.body.messages.map(({ content }) => content) ?? [];
      expect(system.endsWith('Task: find what the tenant owes.')).toBe(true);
      expect(system).not.toContain('what a party must do');
      expect((await layersOf('OBLIGATIONS')).at(-1)).toMatchObject({
        ...{ kind: 'SKILL', code: 'OBLIGATIONS', version: '2026-11-26T10:00:00.000Z' },
      });
    });

    it('other skills keep theirs', async () => {
      bench.prompts.group = 'We are a city.';
      await run('a.txt', 'PARTIES');
      expect(server.received.map(({ body }) => body.model)).toEqual(['small']);
    });

    it('administrators of parameters see them, others do not', async () => {
      const functions = ['MANAGE_GROUP_PARAMS'];
      expect(await see({ functions })).toMatchObject({ prompt: 'Task: find what the tenant owes.', model: 'large' });
      for (const claims of [{ functions: ['DOCUMENTS'] }, { functions, profile: 'USUARIO' }]) {
        const seen = await see(claims);
        expect([seen['prompt'], seen['model'], seen['code']]).toEqual([undefined, undefined, 'OBLIGATIONS']);
      }
    });

    it('the documents that a change concerns are counted', async () => {
      const { skills } = await bench.askAs(countSkillResults, folder.groupId, {}, {}, 'auth');
      expect(skills).toContainEqual({ skill_code: 'OBLIGATIONS', documents: 3 });
    });
  });

  describe.each([new Unavailable('Auth is away.'), new Forbidden(), new NotFound()])(
    'where auth answers %s',
    (error) => {
      beforeEach(forget);
      afterEach(() => (bench.refusal = undefined));

      it.each(['OBLIGATIONS', 'PARTIES'])('a run of %s waits untried, and then goes on', async (skill) => {
        await request('a.txt', skill);
        bench.refusal = error;
        await bench.work(folder.groupId);
        const waiting = { status: 'WAITING', reason: 'RunAwaitsParameters', attempts: 0 };
        expect([await queued('a.txt', skill), server.received]).toEqual([expect.objectContaining(waiting), []]);
        bench.refusal = undefined;
        await bench.exhaust(folder.groupId);
        expect(await queued('a.txt', skill)).toMatchObject({ status: 'COMPLETED' });
      });

      it('administrators see skills without prompt and model', async () => {
        bench.refusal = error;
        const functions = ['MANAGE_GROUP_PARAMS'];
        const seen = await bench.askAs(getSkill, folder.groupId, { skill_code: 'OBLIGATIONS' }, { functions });
        expect([seen['prompt'], seen['model'], seen['code']]).toEqual([undefined, undefined, 'OBLIGATIONS']);
      });
    },
  );

  describe('an answer that cannot be used', () => {
    beforeEach(forget);

    it.each<[string, Parameters<ChatServer['scripts']['push']>[0]]>([
      ['no JSON', { kind: 'text', parts: ['The tenant pays.'] }],
      ['another schema', { kind: 'text', parts: ['{"statements": [{"quote": 1}]}'] }],
      ['an unknown field', { kind: 'text', parts: ['{"statements": [], "tool": "delete"}'] }],
      ['an answer that was cut off', { kind: 'text', parts: ['{"statements": [{"quo'], finish: 'length' }],
      ['a tool that was not offered', { kind: 'tools', calls: [{ name: 'delete', input: '{}' }] }],
      ['a body that is no JSON', { kind: 'raw', body: 'nothing' }],
    ])('%s is repaired once', async (_name, script) => {
      server.scripts.push(script);
      await run('a.txt');
      expect(server.received).toHaveLength(2);
      expect(messagesOf(server.received[1] as ReceivedChat)).toContain('Write the answer again');
      expect(await resultOf('a.txt')).toMatchObject({ statements: [{ text: SENTENCE }] });
    });

    it('twice ends the run with the reason', async () => {
      server.answer = () => ({ kind: 'text', parts: ['no'] });
      await run('a.txt');
      expect(server.received).toHaveLength(2);
      expect(await queued('a.txt')).toMatchObject({ status: 'ERROR', reason: 'ModelUnusable' });
      expect(await resultOf('a.txt')).toBeUndefined();
    });

    it('one that the model withholds ends the run with the reason', async () => {
      server.scripts.push({ kind: 'text', parts: [''], finish: 'content_filter' });
      await run('a.txt');
      expect(await queued('a.txt')).toMatchObject({ status: 'ERROR', reason: 'ModelWithheld' });
    });
  });
});

describe('skills without a model', () => {
  it.each([
    ['none is configured', {}, 'none is configured'],
    [
      'the group permits none',
      { ACERVO_CHAT_URL: 'http://model.invalid', ACERVO_CHAT_MODEL: 'small' },
      'CHAT_MODEL_ALLOWED',
    ],
  ])('where %s, one that needs it is 409, others quote', async (_name, environment, message) => {
    const bench = await Bench.open(undefined, undefined, { environment });
    const folder = await IngestedFolder.of(bench, { 'a.txt': LEASE });
    const [{ code } = { code: '' }] = await folder.documents();
    const run = (skill: string): Promise<JsonObject> =>
      bench.askAs(runSkill, folder.groupId, { skill_code: skill, document_code: code });
    await expect(run('OBLIGATIONS')).rejects.toMatchObject({
      ...{ code: 'CONFLICT', message: expect.stringContaining(message) as string },
    });
    await run('KEY-DATES');
    await bench.work(folder.groupId);
    const { skill_results } = await bench.askAs(getDocument, folder.groupId, { document_code: code });
    expect(skill_results).toMatchObject([{ skill_code: 'KEY-DATES', statements: [{ value: '2026-12-31' }] }]);
    bench.spaceDocuments = [code];
    await bench.askAs(runSkill, folder.groupId, { skill_code: 'SPACE-DIGEST', space_id: 7 });
    await bench.exhaust(folder.groupId);
    expect(await folder.sql('select model, layers from ingestion.space_skill where group_id = $1')).toEqual([
      { model: null, layers: null },
    ]);
    await bench.close();
  });
});
