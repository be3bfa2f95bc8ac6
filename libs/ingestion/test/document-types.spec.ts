import {
  addFeature,
  addFeatureCategory,
  countContents,
  createDocumentType,
  deleteDocumentType,
  getBoundary,
  listDocumentTypes,
  listFeatureCategories,
  MOST_DOCUMENT_TYPES,
  previewDocumentTypeDeletion,
  setBoundary,
  updateDocumentType,
  updateFeature,
  updateFeatureCategory,
} from '@acervo/contracts';
import { FIXED, type JsonObject, taxonomyGroups } from './taxonomy-groups';

const groups = taxonomyGroups();
const { group, withDocuments } = groups;

describe('document types', () => {
  it('a type is created, changed and listed within its tree', async () => {
    const { ask, type } = group();
    expect(await type('CONTRATO', { description: 'Acuerdos.' })).toEqual({
      ...{ code: 'CONTRATO', name: 'Type CONTRATO', description: 'Acuerdos.', parent_code: null, entity_code: null },
      has_children: false,
    });
    await type('ALQUILER', { parent_code: 'CONTRATO', entity_code: 'E3' });
    const changed = await ask(updateDocumentType, { document_type_code: 'ALQUILER', name: 'Alquileres' });
    expect(changed).toMatchObject({ name: 'Alquileres', parent_code: 'CONTRATO', entity_code: 'E3' });
    const { document_types: listed } = await ask(listDocumentTypes, {});
    expect((listed as JsonObject[]).map(({ code, has_children }) => [code, has_children])).toEqual([
      ['ALQUILER', false],
      ['CONTRATO', true],
    ]);
    const page = await ask(listDocumentTypes, { limit: 1 });
    const next = await ask(listDocumentTypes, { limit: 1, cursor: page['next_cursor'] });
    expect(next).toMatchObject({ document_types: [{ code: 'CONTRATO' }], next_cursor: null });
    const one = async (input: JsonObject) => ((await ask(listDocumentTypes, input))['document_types'] as []).length;
    expect(await one({ query: 'alqui' })).toBe(1);
    expect([await one({ entity_code: 'E3' }), await one({ entity_code: 'E1' })]).toEqual([2, 1]);
    await ask(updateDocumentType, { document_type_code: 'ALQUILER', parent_code: null });
    expect(await ask(listDocumentTypes, { query: 'CONTRATO' })).toMatchObject({
      document_types: [{ has_children: false }],
    });
  });

  it('a code is taken once in a group and free in another', async () => {
    const [one, other] = [group(), group()];
    await one.type('A');
    expect(await one.outcome(createDocumentType, { code: 'A', name: 'x' })).toEqual(['CONFLICT', 'CODE_TAKEN']);
    expect(await other.outcome(createDocumentType, { code: 'A', name: 'x' })).toBe('done');
    expect(await one.outcome(createDocumentType, { code: 'A,B', name: 'x' })).toEqual([
      'VALIDATION_ERROR',
      'CODE_WITH_COMMA',
    ]);
  });

  it('an unknown parent, entity or type is not found, and nothing is stored', async () => {
    const { outcome, rows, version } = group();
    const absent = ['NOT_FOUND', null];
    expect(await outcome(createDocumentType, { code: 'A', name: 'x', parent_code: 'NONE' })).toEqual(absent);
    expect(await outcome(createDocumentType, { code: 'A', name: 'x', entity_code: 'E9' })).toEqual(absent);
    expect(await outcome(listDocumentTypes, { entity_code: 'E9' })).toEqual(absent);
    for (const call of [previewDocumentTypeDeletion, deleteDocumentType, getBoundary, listFeatureCategories])
      expect(await outcome(call, { document_type_code: 'NONE' })).toEqual(absent);
    expect(await outcome(updateDocumentType, { document_type_code: 'NONE', name: 'x' })).toEqual(absent);
    expect(await rows('select from ingestion.document_type where group_id = $1')).toEqual([]);
    expect(await version()).toBe(0);
  });

  it('a type is never below itself, nor deeper than eight levels', async () => {
    const { type, outcome } = group();
    const codes = Array.from({ length: 8 }, (_, index) => `T${index}`);
    for (const [index, code] of codes.entries()) await type(code, index === 0 ? {} : { parent_code: codes[index - 1] });
    const cycle = ['VALIDATION_ERROR', 'PARENT_BELOW'];
    for (const parent_code of ['T0', 'T1', 'T7'])
      expect(await outcome(updateDocumentType, { document_type_code: 'T0', parent_code })).toEqual(cycle);
    const deep = ['VALIDATION_ERROR', 'TOO_DEEP'];
    expect(await outcome(createDocumentType, { code: 'T8', name: 'x', parent_code: 'T7' })).toEqual(deep);
    await type('TOP');
    expect(await outcome(updateDocumentType, { document_type_code: 'T0', parent_code: 'TOP' })).toEqual(deep);
    expect(await outcome(updateDocumentType, { document_type_code: 'T1', parent_code: 'TOP' })).toBe('done');
  });

  it('two concurrent updates make no cycle', async () => {
    const { type, outcome, rows } = group();
    await type('A');
    await type('B');
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.all([
        outcome(updateDocumentType, { document_type_code: 'A', parent_code: 'B' }),
        outcome(updateDocumentType, { document_type_code: 'B', parent_code: 'A' }),
      ]);
      expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
      expect(outcomes).toContainEqual(['VALIDATION_ERROR', 'PARENT_BELOW']);
      await rows('update ingestion.document_type set parent_code = null where group_id = $1');
    }
  });

  it('a type below the type of an entity belongs to that entity', async () => {
    const { type, outcome } = group();
    await type('E', { entity_code: 'E1' });
    expect(await type('BELOW', { parent_code: 'E' })).toMatchObject({ entity_code: 'E1' });
    const other = ['VALIDATION_ERROR', 'PARENT_OF_OTHER_ENTITY'];
    for (const entity_code of ['E2', null])
      expect(await outcome(createDocumentType, { code: 'X', name: 'x', parent_code: 'E', entity_code })).toEqual(other);
    await type('ALL');
    expect(await outcome(updateDocumentType, { document_type_code: 'ALL', parent_code: 'E' })).toEqual(other);
  });

  it('a group has at most 200 types', async () => {
    const { type, outcome, rows } = group();
    await rows(
      `insert into ingestion.document_type (group_id, code, name)
       select $1, 'T' || n, 'x' from generate_series(1, ${MOST_DOCUMENT_TYPES - 1}) n`,
    );
    await type('LAST');
    expect(await outcome(createDocumentType, { code: 'MORE', name: 'x' })).toEqual(['CONFLICT', 'TOO_MANY']);
  });

  it('a fixed key changes the types of its entity alone', async () => {
    const { ask, type, outcome } = group();
    await type('GROUP');
    await type('OTHER', { entity_code: 'E2' });
    await type('OWN', { entity_code: 'E1' }, FIXED);
    const { document_types: seen } = await ask(listDocumentTypes, {}, FIXED);
    expect((seen as JsonObject[]).map(({ code }) => code)).toEqual(['GROUP', 'OWN']);
    const name = 'x';
    expect(await outcome(updateDocumentType, { document_type_code: 'GROUP', name }, FIXED)).toEqual([
      'FORBIDDEN',
      null,
    ]);
    expect(await outcome(updateDocumentType, { document_type_code: 'OTHER', name }, FIXED)).toEqual([
      'NOT_FOUND',
      null,
    ]);
    expect(await outcome(updateDocumentType, { document_type_code: 'OWN', name }, FIXED)).toBe('done');
    const area = { ...FIXED, authorizedAreaRoot: 'A1' };
    expect(await outcome(updateDocumentType, { document_type_code: 'OWN', name }, area)).toEqual(['FORBIDDEN', null]);
    expect(await outcome(listDocumentTypes, {}, { focusIsStale: true })).toEqual(['CONTEXT_CONFLICT', null]);
    for (const call of [previewDocumentTypeDeletion, deleteDocumentType])
      expect(await outcome(call, { document_type_code: 'GROUP' }, FIXED)).toEqual(['FORBIDDEN', null]);
  });

  it('a type with types below it stays; the preview counts what a deletion affects', async () => {
    const { ask, type, outcome, classify, code, rows, groupId } = await withDocuments();
    await type('A');
    await type('B', { parent_code: 'A' });
    await ask(addFeatureCategory, { document_type_code: 'B', code: 'C', name: 'x', kind: 'CHARACTERISTIC' });
    await ask(addFeature, { category_code: 'C', code: 'F', name: 'x' });
    await ask(setBoundary, { document_type_code: 'B', examples: [code('aE1')] });
    await classify('aE1', 'B');
    await classify('aE2', 'B');
    await classify('bE2', 'A');
    await expect(ask(deleteDocumentType, { document_type_code: 'A' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'HAS_CHILDREN', children: 1 },
    });
    const counts = { categories: 1, features: 1, examples: 1, documents: 2, children: 0, spaces: 4 };
    groups.bench.namingSpaces = 4;
    expect(await ask(previewDocumentTypeDeletion, { document_type_code: 'B' })).toEqual({
      document_type_code: 'B',
      ...counts,
    });
    expect(groups.bench.askedNames.at(-1)).toEqual({ documentTypes: ['B'], attributes: [], characteristics: ['F'] });
    expect(await ask(deleteDocumentType, { document_type_code: 'B' })).toEqual({
      document_type_code: 'B',
      deleted: true,
    });
    expect(await outcome(deleteDocumentType, { document_type_code: 'B' })).toEqual(['NOT_FOUND', null]);
    for (const table of ['feature_category', 'feature', 'type_example'])
      expect(await rows(`select from ingestion.${table} where group_id = $1`)).toEqual([]);
    expect(groupId).toBeDefined();
  });

  it('the types of an entity count as its contents', async () => {
    const { groupId, type } = group();
    await type('A', { entity_code: 'E2' });
    await type('B');
    const counted = (input: JsonObject) => groups.bench.askAs(countContents, groupId, input, {}, 'auth');
    expect(await counted({ entity_code: 'E2' })).toEqual({ locations: 0, documents: 0, document_types: 1 });
    expect(await counted({ entity_code: 'E1' })).toMatchObject({ document_types: 0 });
    expect(await counted({ location_codes: ['L1'] })).toMatchObject({ document_types: 0 });
  });

  it('each change of a type raises the version of the taxonomy once', async () => {
    const { ask, type, version } = group();
    expect(await version()).toBe(0);
    await type('A');
    expect(await version()).toBe(1);
    const renamed = { document_type_code: 'A', name: 'y', description: 'z', parent_code: null };
    expect(await ask(updateDocumentType, renamed)).toMatchObject({ name: 'y', description: 'z' });
    expect(await version()).toBe(1);
    await ask(setBoundary, { document_type_code: 'A', includes: 'x' });
    expect(await version()).toBe(2);
    await ask(addFeatureCategory, { document_type_code: 'A', code: 'C', name: 'x', kind: 'ATTRIBUTE' });
    await ask(updateFeatureCategory, { category_code: 'C', name: 'y' });
    expect(await version()).toBe(2);
    await ask(addFeature, { category_code: 'C', code: 'F', name: 'x' });
    expect(await version()).toBe(3);
    await ask(updateFeature, { category_code: 'C', feature_code: 'F', name: 'y' });
    await ask(getBoundary, { document_type_code: 'A' });
    expect(await version()).toBe(3);
    await ask(updateFeature, { category_code: 'C', feature_code: 'F', prompt: 'y' });
    expect(await version()).toBe(4);
    await ask(updateFeature, { category_code: 'C', feature_code: 'F', phrases: [] });
    expect(await version()).toBe(5);
    await type('B');
    await ask(updateDocumentType, { document_type_code: 'A', parent_code: 'B' });
    expect(await version()).toBe(7);
    await ask(deleteDocumentType, { document_type_code: 'A' });
    expect(await version()).toBe(8);
  });
});
