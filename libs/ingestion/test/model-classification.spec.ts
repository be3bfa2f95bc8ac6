import {
  addFeature,
  addFeatureCategory,
  createDocumentType,
  getDocument,
  getDocumentFeatures,
  getSkill,
  listQueue,
  listSkills,
  resolveLlmAlerts,
  runSkill,
  setBoundary,
  updateFeature,
} from '@acervo/contracts';
import type { LayerRecord } from '@acervo/models/chat';
import { ChatServer, type ChatScript, type ReceivedChat } from '@acervo/platform-testing';
import { Bench } from './bench';
import { ClassifiedFolder } from './classified-folder';

type JsonObject = Record<string, unknown>;

const HEADING = 'Lease of a flat at 4 High Street.';
const DEPOSIT = 'The deposit is 1,250.50 euros and is due on 31 December 2026.';
const LEASE = `${HEADING}\n${DEPOSIT}\nThe tenant keeps no dogs.`;

const json = (answer: object): ChatScript => ({ kind: 'text', parts: [JSON.stringify(answer)] });
const chosen = (type: string | null, quote = HEADING): ChatScript => json({ type, quote });
const stated = (...features: readonly object[]): ChatScript => json({ features });
const formOf = ({ body }: ReceivedChat): string => body.response_format?.json_schema.name ?? '';
const promptOf = ({ body }: ReceivedChat): string => body.messages[0]?.content ?? '';

/** A model that chooses a type and finds features, whichever it is asked for. */
const answering =
  (choice: ChatScript, features: ChatScript = stated()) =>
  (received: ReceivedChat): ChatScript =>
    formOf(received) === 'type' ? choice : features;

describe('classification with a chat model', () => {
  const server = new ChatServer();
  let bench: Bench;
  let folder: ClassifiedFolder;
  beforeAll(async () => {
    const endpoint = { ACERVO_CHAT_URL: await server.open(), ACERVO_CHAT_MODEL: 'small' };
    const environment = { ...endpoint, ACERVO_CHAT_SUMMARIES: 'false' };
    bench = await Bench.open(undefined, undefined, { environment });
  });
  beforeEach(() => {
    server.scripts.length = 0;
    server.received.length = 0;
    server.answer = answering(chosen('LEASE'));
    bench.parameters.clear();
  });
  afterAll(async () => {
    await bench.close();
    await server.close();
  });

  const ask = (call: Parameters<Bench['askAs']>[0], input: JsonObject): Promise<JsonObject> =>
    bench.askAs(call, folder.groupId, input, {}, call.callers.includes('operations') ? 'operations' : 'gateway');
  const open = async (files: Readonly<Record<string, string>> = { 'a.txt': LEASE }): Promise<void> => {
    folder = await ClassifiedFolder.of(bench, files);
    await ask(createDocumentType, { code: 'LEASE', name: 'Lease', description: 'A home is let.' });
    await ask(createDocumentType, { code: 'LETTER', name: 'Letter' });
  };
  const ingest = async (): Promise<void> => {
    await folder.scan();
    await bench.work(folder.groupId);
  };
  const attribute = async (code: string, kind: string, prompt: string | null, more: JsonObject = {}): Promise<void> => {
    const category = { code: `C-${code}`, name: code, kind: kind === '' ? 'CHARACTERISTIC' : 'ATTRIBUTE' };
    await ask(addFeatureCategory, { document_type_code: 'LEASE', ...category, ...(kind && { value_kind: kind }) });
    await ask(addFeature, { category_code: `C-${code}`, code, name: code, prompt, ...more });
  };
  const codeOf = async (name = 'a.txt'): Promise<string> => {
    const [row] = await folder.sql<{ code: string }>(
      `select code from ingestion.document where group_id = $1 and name = $2`,
      name,
    );
    return row?.code ?? '';
  };
  const classified = async (name?: string): Promise<JsonObject> =>
    ask(getDocumentFeatures, { document_code: await codeOf(name) });
  const results = (skill: string): Promise<{ dropped: number; layers: LayerRecord[] }[]> =>
    folder.sql(
      `select (result ->> 'dropped')::int as dropped, layers from ingestion.document_skill
       where group_id = $1 and skill_code = $2 order by document_id`,
      skill,
    );
  const forms = (): string[] => server.received.map(formOf);

  describe('a type that rules and similarity leave', () => {
    it('is chosen by the model, and its quote stands in the text', async () => {
      await open();
      await ingest();
      expect(forms()).toEqual(['type']);
      expect(await classified()).toMatchObject({
        ...{ document_type_code: 'LEASE', source: 'MODEL', features: [] },
        evidence: [{ page: null, start_at: 0, end_at: HEADING.length, quote: HEADING }],
      });
      expect(await folder.publishedTypes()).toEqual({ 'a.txt': ['LEASE'] });
    });

    it('is asked for as a closed choice behind the layers of the prompt', async () => {
      const [received] = server.received;
      await open();
      await ingest();
      const asked = server.received.at(-1) ?? received;
      expect(asked?.body.response_format?.json_schema.schema).toMatchObject({
        properties: { type: { enum: ['LEASE', 'LETTER', null] } },
      });
      expect(asked?.body.tools).toBeUndefined();
      const [made] = await results('DOCUMENT-CLASSIFY');
      expect(made?.layers.map(({ kind, code }) => `${kind} ${code}`)).toEqual([
        'PRODUCT TYPE-CHOICE',
        'PRODUCT DATA-RULE',
        'SKILL DOCUMENT-CLASSIFY',
        'SKILL DOCUMENT-TYPES',
      ]);
    });

    it.each<[string, ChatScript, number]>([
      ['whose quote does not stand in the text', chosen('LEASE', 'Lease of a house.'), 1],
      ['whose quote is a link', chosen('LEASE', 'https://evil.example/a'), 1],
      ['of no type', chosen(null, ''), 0],
    ])('a choice %s leaves none', async (_name, answer, dropped) => {
      server.answer = answering(answer);
      await open({ 'a.txt': `${LEASE} https://evil.example/a` });
      await ingest();
      expect(await classified()).toMatchObject({ document_type_code: null, source: null, evidence: [] });
      expect(await results('DOCUMENT-CLASSIFY')).toMatchObject([{ dropped }]);
    });

    it('a type outside of the candidates is asked for once more, then the run ends', async () => {
      server.answer = answering(chosen('ADMIN'));
      await open();
      await ingest();
      expect(forms()).toEqual(['type', 'type']);
      expect(await classified()).toMatchObject({ document_type_code: null });
      const { items } = await ask(listQueue, { process: 'SKILL' });
      expect(items).toMatchObject([{ skill_code: 'DOCUMENT-CLASSIFY', status: 'ERROR', reason: 'ModelUnusable' }]);
    });

    it('a deciding rule asks no model, and similarity with a clear lead asks none', async () => {
      await open({
        'a.txt': LEASE,
        'b.txt': 'Patients, diseases, drugs and surgery. Patients need drugs and surgery.',
      });
      await folder.describe({ code: 'LEASE', word: 'deposit' });
      await ask(setBoundary, { document_type_code: 'LETTER', includes: 'Patients, diseases, drugs and surgery.' });
      await ingest();
      expect(forms()).toEqual([]);
      expect(await classified('a.txt')).toMatchObject({ document_type_code: 'LEASE', source: 'RULE' });
      expect(await classified('b.txt')).toMatchObject({ document_type_code: 'LETTER', source: 'SIMILARITY' });
    });

    it('documents of equal content are asked about once', async () => {
      await open({ 'a.txt': LEASE, 'b.txt': LEASE });
      await ingest();
      expect(forms()).toEqual(['type']);
      for (const name of ['a.txt', 'b.txt']) expect(await classified(name)).toMatchObject({ source: 'MODEL' });
    });
  });

  describe('another classification', () => {
    it('keeps the choice of the model, and asks again where the candidates differ', async () => {
      await open();
      await ingest();
      await folder.describe({ code: 'NOTE' });
      server.answer = answering(chosen('LEASE', 'nothing of it'));
      await bench.work(folder.groupId);
      expect(forms()).toEqual(['type', 'type']);
      expect(await classified()).toMatchObject({ document_type_code: 'LEASE', source: 'MODEL' });
    });

    it('asks nothing again and reads nothing again where candidates are the same', async () => {
      await open();
      await ingest();
      await bench.forget();
      await ask(setBoundary, { document_type_code: 'LETTER', rules: [] });
      await bench.work(folder.groupId);
      expect(forms()).toEqual(['type']);
      expect(await classified()).toMatchObject({ document_type_code: 'LEASE', source: 'MODEL' });
      expect([bench.source.read, bench.cpu.runs.filter((run) => /chunk|embed|record/.test(run))]).toEqual([[], []]);
    });

    it('by a rule comes before the model, whose choice returns with the rule gone', async () => {
      await open();
      await ingest();
      await folder.describe({ code: 'LETTER', word: 'deposit' });
      await bench.work(folder.groupId);
      expect(await classified()).toMatchObject({ document_type_code: 'LETTER', source: 'RULE' });
      expect(await folder.publishedTypes()).toEqual({ 'a.txt': ['LETTER'] });
      await folder.describe({ code: 'LETTER' });
      await bench.work(folder.groupId);
      expect(await classified()).toMatchObject({ document_type_code: 'LEASE', source: 'MODEL' });
      expect(forms()).toEqual(['type']);
    });

    it('a rule that no longer admits the chosen type takes it away', async () => {
      await open();
      await ingest();
      server.answer = answering(chosen(null, ''));
      await folder.describe({ code: 'LEASE', word: 'a word that it lacks' });
      await bench.work(folder.groupId);
      expect(await classified()).toMatchObject({ document_type_code: null });
    });
  });

  describe('features with a prompt', () => {
    it.each<[string, string, object, object]>([
      ['an amount', 'AMOUNT', { value: '1,250.50 euros' }, { value: '1250.50 EUR', quote: '1,250.50 euros' }],
      ['a date in words', 'DATE', { value: '31 December 2026' }, { value: '2026-12-31', quote: '31 December 2026' }],
      ['a date in ISO', 'DATE', { value: '2026-12-31' }, { value: '2026-12-31', quote: '31 December 2026' }],
      ['a text', 'TEXT', { value: 'deposit' }, { value: 'deposit', quote: 'deposit' }],
      ['a characteristic', '', { value: null }, { value: null, quote: DEPOSIT }],
    ])('%s is found in canonical form, at its place', async (_name, kind, answer, found) => {
      await open();
      await attribute('F', kind, 'What is it?');
      server.answer = answering(chosen('LEASE'), stated({ feature: 'C-F,F', quote: DEPOSIT, ...answer }));
      await ingest();
      expect(forms()).toEqual(['type', 'features']);
      const { features } = await classified();
      expect(features).toMatchObject([{ code: 'F', source: 'MODEL', confidence: 0.75, ...found }]);
      const [{ start_at, end_at, quote }] = features as [{ start_at: number; end_at: number; quote: string }];
      expect(LEASE.slice(start_at, end_at)).toBe(quote);
    });

    it.each<[string, string, object]>([
      ['a quote that does not stand', 'TEXT', { quote: 'The deposit is 9 euros.', value: 'deposit' }],
      ['a value that does not stand', 'TEXT', { quote: DEPOSIT, value: 'a flat' }],
      ['a part of a number', 'NUMBER', { quote: DEPOSIT, value: '250' }],
      ['a part of a word', 'TEXT', { quote: DEPOSIT, value: 'posit' }],
      ['a value of another kind', 'DATE', { quote: DEPOSIT, value: '1,250.50' }],
      ['no value', 'DATE', { quote: DEPOSIT, value: null }],
    ])('%s is dropped and counted', async (_name, kind, answer) => {
      await open();
      await attribute('F', kind, 'What is it?');
      server.answer = answering(chosen('LEASE'), stated({ feature: 'C-F,F', ...answer }));
      await ingest();
      expect(await classified()).toMatchObject({ document_type_code: 'LEASE', features: [] });
      expect(await results('FEATURE-EXTRACT')).toMatchObject([{ dropped: 1 }]);
    });

    it('what a rule finds is not asked for, and comes before what a model found', async () => {
      await open();
      await attribute('F', 'TEXT', 'What is let?');
      await attribute('R', 'TEXT', 'What is due?', { pattern: 'The (?<value>deposit) is' });
      server.answer = answering(chosen('LEASE'), stated({ feature: 'C-F,F', quote: HEADING, value: 'flat' }));
      await ingest();
      expect(promptOf(server.received[1] as ReceivedChat)).not.toContain('C-R,R');
      const codes = async (): Promise<object[]> =>
        ((await classified())['features'] as JsonObject[]).map(({ code, value, source }) => ({ code, value, source }));
      const ruled = { code: 'R', value: 'deposit', source: 'RULE' };
      expect(await codes()).toEqual([{ code: 'F', value: 'flat', source: 'MODEL' }, ruled]);
      await ask(updateFeature, { category_code: 'C-F', feature_code: 'F', pattern: 'keeps no (?<value>dogs)' });
      await bench.work(folder.groupId);
      expect(await codes()).toEqual([{ code: 'F', value: 'dogs', source: 'RULE' }, ruled]);
      await ask(updateFeature, { category_code: 'C-F', feature_code: 'F', pattern: null });
      await bench.work(folder.groupId);
      expect(await codes()).toEqual([{ code: 'F', value: 'flat', source: 'MODEL' }, ruled]);
      expect(forms()).toEqual(['type', 'features']);
    });

    it('a changed prompt is asked again, and a removed one takes its feature away', async () => {
      await open();
      await attribute('F', 'TEXT', 'What is let?');
      server.answer = answering(chosen('LEASE'), stated({ feature: 'C-F,F', quote: HEADING, value: 'flat' }));
      await ingest();
      await ask(updateFeature, { category_code: 'C-F', feature_code: 'F', prompt: 'Where is it?' });
      server.answer = answering(chosen('LEASE'), stated({ feature: 'C-F,F', quote: HEADING, value: 'High Street' }));
      await bench.work(folder.groupId);
      expect(forms()).toEqual(['type', 'features', 'features']);
      expect(await classified()).toMatchObject({ features: [{ value: 'High Street' }] });
      await ask(updateFeature, { category_code: 'C-F', feature_code: 'F', prompt: null });
      await bench.work(folder.groupId);
      expect(await classified()).toMatchObject({ features: [] });
    });

    it('are found for a document whose type a rule decides', async () => {
      await open();
      await folder.describe({ code: 'LEASE', word: 'deposit' });
      await attribute('F', 'TEXT', 'What is let?');
      server.answer = answering(chosen('LETTER'), stated({ feature: 'C-F,F', quote: HEADING, value: 'flat' }));
      await ingest();
      expect(forms()).toEqual(['features']);
      expect(await classified()).toMatchObject({ source: 'RULE', features: [{ value: 'flat', source: 'MODEL' }] });
    });
  });

  describe('a model that fails', () => {
    it('lets the run wait with a reason until it is resumed', async () => {
      server.answer = () => ({ kind: 'status', status: 401 });
      await open();
      await ingest();
      const { items } = await ask(listQueue, { process: 'SKILL' });
      expect(items).toMatchObject([{ skill_code: 'DOCUMENT-CLASSIFY', status: 'WAITING', reason: 'ModelKey' }]);
      expect(await classified()).toMatchObject({ document_type_code: null });
      server.answer = answering(chosen('LEASE'));
      const resolved = await ask(resolveLlmAlerts, { skill_code: 'DOCUMENT-CLASSIFY' });
      expect(resolved).toEqual({ resumed: 1, remaining: 0 });
      await bench.work(folder.groupId);
      expect(await classified()).toMatchObject({ document_type_code: 'LEASE', source: 'MODEL' });
    });
  });

  it('callers neither see nor run the skills, and no result shows them', async () => {
    await open();
    await ingest();
    const { skills } = await ask(listSkills, {});
    const codes = (skills as JsonObject[]).map(({ code }) => code);
    for (const skill_code of ['DOCUMENT-CLASSIFY', 'FEATURE-EXTRACT']) {
      expect(codes).not.toContain(skill_code);
      const document_code = await codeOf();
      await expect(ask(getSkill, { skill_code })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(ask(runSkill, { skill_code, document_code })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await ask(getDocument, { document_code: await codeOf() })).toMatchObject({ skill_results: [] });
  });

  it('another prompt or model of the group is used from the next classification on', async () => {
    bench.parameters.set('SKILL_PROMPT_DOCUMENT-CLASSIFY', 'Task: what is it?');
    await open();
    await ingest();
    expect(promptOf(server.received[0] as ReceivedChat)).toContain('Task: what is it?');
  });
});

describe('classification where the group permits no model', () => {
  it('leaves documents as rules and similarity decide, and no run', async () => {
    const environment = { ACERVO_CHAT_URL: 'http://model.invalid', ACERVO_CHAT_MODEL: 'small' };
    const bench = await Bench.open(undefined, undefined, { environment });
    const folder = await ClassifiedFolder.of(bench, { 'a.txt': LEASE });
    await folder.describe({ code: 'LEASE' }, { code: 'LETTER' });
    await folder.scan();
    await bench.work(folder.groupId);
    expect(await folder.classes()).toMatchObject([{ name: 'a.txt', type: null }]);
    expect(await folder.sql(`select from ingestion.document_skill where group_id = $1`)).toEqual([]);
    const { items } = await bench.askAs(listQueue, folder.groupId, { process: 'SKILL' });
    expect(items).toEqual([]);
    await bench.close();
  });
});
