import { type Call, getBoundaryImpact, getDocumentFeatures, summariseTypes } from '@acervo/contracts';
import { Classifiers } from '../src/classification/classifiers';
import { Bench } from './bench';
import { ClassifiedFolder } from './classified-folder';

type JsonObject = Record<string, unknown>;

const FILES = {
  'actas/acta-1.txt': 'Acta de la reunión. Consta el acuerdo de obra.',
  'actas/acta-2.txt': 'Acta sin nada más.',
  'contrato.txt': 'Contrato de suministro. Precio fijo.',
  'nota.txt': 'Una nota de obra.',
};
const rule = (value: string): JsonObject => ({ field: 'TEXT', match: 'CONTAINS', value, effect: 'REQUIRES' });

describe('types and features as a caller sees them', () => {
  let bench: Bench;
  let folder: ClassifiedFolder;
  const codes = new Map<string, string>();
  let inner: string;
  beforeAll(async () => {
    bench = await Bench.open();
    folder = await ClassifiedFolder.of(bench, FILES);
    await folder.describe({ code: 'ACTA', word: 'Acta' }, { code: 'CONTRATO', word: 'Contrato' });
    await folder.addFeature('ACTA', 'ACUERDO', 'consta el acuerdo de', 'ATTRIBUTE');
    await folder.scan();
    await bench.work(folder.groupId);
    for (const { name, code } of await folder.sql<{ name: string; code: string }>(
      `select name, code from ingestion.document where group_id = $1`,
    ))
      codes.set(name, code);
    const [row] = await folder.sql<{ code: string }>(
      `select code from ingestion.location where group_id = $1 and name = 'actas'`,
    );
    inner = row?.code ?? '';
  });
  afterAll(() => bench.close());

  const ask = (call: Call, input: JsonObject, claims: JsonObject = {}): Promise<JsonObject> =>
    bench.askAs(call, folder.groupId, input, claims, 'operations');
  const codeOf = (name: string): string => codes.get(name) ?? '';
  const impact = (input: JsonObject, claims: JsonObject = {}): Promise<JsonObject> =>
    ask(getBoundaryImpact, { document_type_code: 'ACTA', ...input }, claims);
  const refusal = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => 'answered',
      (error: { code?: string }) => error.code,
    );

  it('features come with the text that they were read from', async () => {
    const answer = await ask(getDocumentFeatures, { document_code: codeOf('acta-1.txt') });
    const text = FILES['actas/acta-1.txt'];
    const startAt = text.indexOf('obra');
    expect(answer).toMatchObject({
      ...{ document_type_code: 'ACTA', source: 'RULE', score: 1, margin: 1, runner_up: null, is_provisional: false },
      evidence: [{ start_at: 0, end_at: 4, quote: 'Acta' }],
      features: [
        {
          ...{ category_code: 'C-ACUERDO', code: 'ACUERDO', kind: 'ATTRIBUTE', value: 'obra' },
          ...{ start_at: startAt, end_at: startAt + 4, quote: 'obra', page: null },
        },
      ],
    });
    expect(await ask(getDocumentFeatures, { document_code: codeOf('nota.txt') })).toMatchObject({
      ...{ document_type_code: null, evidence: [], features: [] },
    });
  });

  it('features of a document outside the area are absent', async () => {
    const asked = (name: string) =>
      refusal(ask(getDocumentFeatures, { document_code: codeOf(name) }, { locationRoots: [inner] }));
    expect([await asked('acta-1.txt'), await asked('contrato.txt')]).toEqual(['answered', 'NOT_FOUND']);
  });

  it('documents are counted by entity, type and state', async () => {
    expect(await ask(summariseTypes, {})).toEqual({
      counts: [
        { entity_code: 'E1', type_code: 'ACTA', type_name: 'ACTA', status: 'CHUNKED', documents: 2 },
        { entity_code: 'E1', type_code: 'CONTRATO', type_name: 'CONTRATO', status: 'CHUNKED', documents: 1 },
        { entity_code: 'E1', type_code: null, type_name: null, status: 'CHUNKED', documents: 1 },
      ],
      total: 4,
    });
    expect(await ask(summariseTypes, {}, { locationRoots: [inner] })).toMatchObject({ total: 2 });
    expect(await refusal(ask(summariseTypes, { entity_code: 'E9' }))).toBe('NOT_FOUND');
  });

  it('a stored boundary moves nothing', async () => {
    expect(await impact({})).toEqual({
      ...{ document_type_code: 'ACTA', documents: 4, examined: 4, enter: 0, leave: 0, keep: 2 },
      entities: [{ entity_code: 'E1', enter: 0, leave: 0, keep: 2 }],
      examples: expect.arrayContaining([
        { document_code: codeOf('acta-1.txt'), name: 'acta-1.txt', movement: 'KEEP' },
        { document_code: codeOf('acta-2.txt'), name: 'acta-2.txt', movement: 'KEEP' },
      ]) as unknown,
    });
  });

  it('a tried boundary says which documents it would move, and stores nothing', async () => {
    const before = await folder.classes();
    const answer = await impact({ rules: [rule('obra')] });
    expect(answer).toMatchObject({ enter: 1, leave: 1, keep: 1 });
    expect(answer['examples']).toEqual([
      { document_code: codeOf('nota.txt'), name: 'nota.txt', movement: 'ENTER' },
      { document_code: codeOf('acta-2.txt'), name: 'acta-2.txt', movement: 'LEAVE' },
      { document_code: codeOf('acta-1.txt'), name: 'acta-1.txt', movement: 'KEEP' },
    ]);
    expect(await folder.classes()).toEqual(before);
  });

  it('an impact counts and names visible documents only', async () => {
    expect(await impact({ rules: [rule('obra')] }, { locationRoots: [inner] })).toMatchObject({
      ...{ documents: 2, enter: 0, leave: 1, keep: 1 },
    });
  });

  it('an impact is urgent, and leaves kept classifiers and vectors alone', async () => {
    const rows = (): Promise<object[]> =>
      folder.sql(`select key from ingestion.step_result where group_id = $1 order by 1`);
    const before = await rows();
    const ran = jest.spyOn(bench.cpu, 'run');
    const remembered = jest.spyOn(bench.instance(Classifiers), 'withVectors');
    await impact({ includes: 'obra', examples: [codeOf('nota.txt')] });
    const urgent = ran.mock.calls.filter(([job]) => job.name === 'classify').map((args: readonly unknown[]) => args[2]);
    expect(new Set(urgent)).toEqual(new Set([true]));
    expect(ran.mock.calls.some(([job]) => job.name === 'embedTexts')).toBe(true);
    expect(remembered).not.toHaveBeenCalled();
    expect(await rows()).toEqual(before);
    jest.restoreAllMocks();
  });

  it('an unknown type and an unseen example are absent', async () => {
    expect([
      await refusal(ask(getBoundaryImpact, { document_type_code: 'NONE' })),
      await refusal(impact({ examples: ['D99'] })),
      await refusal(impact({ examples: [codeOf('contrato.txt')] }, { locationRoots: [inner] })),
      await refusal(impact({ examples: [codeOf('acta-1.txt')] }, { locationRoots: [inner] })),
    ]).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'answered']);
  });

  it('the type of another entity is absent', async () => {
    await folder.describe({ code: 'AJENO', entity: 'E2', word: 'nota' });
    expect(await refusal(ask(getBoundaryImpact, { document_type_code: 'AJENO' }))).toBe('NOT_FOUND');
    expect(await refusal(ask(getBoundaryImpact, { document_type_code: 'AJENO' }, { entities: ['E1', 'E2'] }))).toBe(
      'answered',
    );
  });
});
