import {
  addFeature,
  addFeatureCategory,
  generateCategoryPage,
  listCatalogDocumentTypes,
  listCharacteristics,
  listFeatureCategories,
  listFeatures,
  previewCategoryRemoval,
  previewFeatureRemoval,
  removeFeature,
  removeFeatureCategory,
  updateFeature,
  updateFeatureCategory,
} from '@acervo/contracts';
import { ALL, type Claims, type JsonObject, taxonomyGroups } from './taxonomy-groups';

const groups = taxonomyGroups();
const { withDocuments } = groups;

describe('categories and features', () => {
  /** A type C below a type P, with a category each, and a sibling S. */
  const furnished = async () => {
    const place = await withDocuments();
    await place.type('P');
    await place.type('C', { parent_code: 'P' });
    await place.type('S');
    const category = (document_type_code: string, code: string, kind = 'ATTRIBUTE') =>
      place.ask(addFeatureCategory, { document_type_code, code, name: `Category ${code}`, kind });
    await category('P', 'FECHAS');
    await category('C', 'CLASES', 'CHARACTERISTIC');
    await category('S', 'OTRAS', 'CHARACTERISTIC');
    const feature = (category_code: string, code: string, more: JsonObject = {}) =>
      place.ask(addFeature, { category_code, code, name: `Feature ${code}`, ...more });
    await feature('FECHAS', 'FIRMA', { pattern: 'firmado el (?<value>\\S+)' });
    await feature('CLASES', 'URGENTE', { phrases: [{ language: 'es', phrases: ['urgente'] }] });
    await feature('OTRAS', 'RARA');
    return { ...place, category, feature };
  };

  it('a type inherits the categories of the types above it', async () => {
    const { ask } = await furnished();
    const listed = async (document_type_code: string) =>
      ((await ask(listFeatureCategories, { document_type_code }))['categories'] as JsonObject[]).map(
        ({ code, is_inherited, value_kind }) => [code, is_inherited, value_kind],
      );
    expect(await listed('C')).toEqual([
      ['CLASES', false, null],
      ['FECHAS', true, 'TEXT'],
    ]);
    expect(await listed('P')).toEqual([['FECHAS', false, 'TEXT']]);
  });

  it('only attributes have a kind of values', async () => {
    const { ask, outcome } = await furnished();
    const draft = { document_type_code: 'P', code: 'X', name: 'x', kind: 'CHARACTERISTIC', value_kind: 'DATE' };
    const refused = ['VALIDATION_ERROR', 'VALUE_KIND'];
    expect(await outcome(addFeatureCategory, draft)).toEqual(refused);
    expect(await outcome(updateFeatureCategory, { category_code: 'CLASES', value_kind: 'DATE' })).toEqual(refused);
    expect(await ask(updateFeatureCategory, { category_code: 'FECHAS', value_kind: 'DATE' })).toMatchObject({
      value_kind: 'DATE',
    });
    expect(await outcome(updateFeatureCategory, { category_code: 'FECHAS' })).toEqual(['INVALID_REQUEST', null]);
  });

  it('a taken code conflicts, and an unknown one is not found', async () => {
    const { outcome } = await furnished();
    const category = { document_type_code: 'S', code: 'FECHAS', name: 'x', kind: 'ATTRIBUTE' };
    expect(await outcome(addFeatureCategory, category)).toEqual(['CONFLICT', 'CODE_TAKEN']);
    const feature = { category_code: 'FECHAS', code: 'FIRMA', name: 'x' };
    expect(await outcome(addFeature, feature)).toEqual(['CONFLICT', 'CODE_TAKEN']);
    expect(await outcome(addFeature, { ...feature, category_code: 'CLASES' })).toBe('done');
    for (const [call, input] of [
      [addFeature, { ...feature, category_code: 'NONE' }],
      [updateFeature, { category_code: 'FECHAS', feature_code: 'NONE', name: 'x' }],
      [updateFeature, { category_code: 'OTRAS', feature_code: 'FIRMA', name: 'x' }],
      [listFeatures, { category_code: 'NONE' }],
      [generateCategoryPage, { category_code: 'NONE' }],
      [removeFeature, { category_code: 'OTRAS', feature_code: 'FIRMA' }],
      [previewFeatureRemoval, { category_code: 'OTRAS', feature_code: 'FIRMA' }],
      [removeFeatureCategory, { category_code: 'NONE' }],
      [addFeatureCategory, { ...category, document_type_code: 'NONE' }],
    ] as const)
      expect(await outcome(call, input)).toEqual(['NOT_FOUND', null]);
  });

  it('a feature keeps absent parts and clears null ones', async () => {
    const { ask } = await furnished();
    const change = (more: JsonObject) =>
      ask(updateFeature, { category_code: 'FECHAS', feature_code: 'FIRMA', ...more });
    expect(await change({ name: 'Firma', prompt: '¿Cuándo?' })).toMatchObject({
      ...{ name: 'Firma', pattern: 'firmado el (?<value>\\S+)', prompt: '¿Cuándo?', phrases: [] },
    });
    const phrases = [
      { language: 'en', phrases: ['signed'] },
      { language: 'es', phrases: ['firmado'] },
    ];
    expect(await change({ pattern: null, phrases })).toMatchObject({ pattern: null, prompt: '¿Cuándo?', phrases });
    expect(await ask(listFeatures, { category_code: 'FECHAS' })).toMatchObject({ features: [{ phrases }] });
  });

  it('a pattern without the value of its attribute is refused', async () => {
    const { outcome } = await furnished();
    const feature = { code: 'NUEVA', name: 'x', pattern: 'firmado' };
    expect(await outcome(addFeature, { category_code: 'FECHAS', ...feature })).toEqual([
      'VALIDATION_ERROR',
      'PATTERN_WITHOUT_VALUE',
    ]);
    expect(await outcome(addFeature, { category_code: 'CLASES', ...feature })).toBe('done');
    const change = { category_code: 'FECHAS', feature_code: 'FIRMA', pattern: '(a)\\1' };
    expect(await outcome(updateFeature, change)).toEqual(['VALIDATION_ERROR', 'PATTERN_REFERS_BACK']);
  });

  it('previews of removals count documents, each once', async () => {
    const { ask, carry, feature, rows, code } = await furnished();
    await feature('FECHAS', 'FIN');
    await carry('aE1', 'FECHAS', 'FIRMA');
    await carry('aE1', 'FECHAS', 'FIN');
    await carry('aE2', 'FECHAS', 'FIRMA');
    await carry('bE2', 'FECHAS', 'FIRMA');
    await rows('update ingestion.document set deleted_at = now() where group_id = $1 and code = $2', [code('bE2')]);
    const firma = { category_code: 'FECHAS', feature_code: 'FIRMA' };
    groups.bench.namingSpaces = 3;
    expect(await ask(previewFeatureRemoval, firma)).toEqual({ ...firma, documents: 2, spaces: 3 });
    const fechas = { category_code: 'FECHAS' };
    expect(await ask(previewCategoryRemoval, fechas)).toEqual({ ...fechas, features: 2, documents: 2, spaces: 3 });
    expect(groups.bench.askedNames.slice(-2)).toEqual([
      { documentTypes: [], attributes: ['FIRMA'], characteristics: [] },
      { documentTypes: [], attributes: ['FIN', 'FIRMA'], characteristics: [] },
    ]);
    expect(await ask(removeFeature, firma)).toEqual({ ...firma, removed: true });
    expect(await ask(removeFeatureCategory, fechas)).toEqual({ ...fechas, removed: true });
    expect(await rows(`select code from ingestion.feature where group_id = $1 order by 1`)).toEqual([
      { code: 'RARA' },
      { code: 'URGENTE' },
    ]);
  });

  it('the catalogue lists types and features of the callers entities', async () => {
    const { read, type, ask } = await furnished();
    await type('SOLO', { entity_code: 'E2' });
    await type('BELOW', { parent_code: 'P', entity_code: 'E2' });
    await ask(addFeatureCategory, { document_type_code: 'SOLO', code: 'Z', name: 'z', kind: 'ATTRIBUTE' });
    await ask(addFeature, { category_code: 'Z', code: 'Z1', name: 'z' });
    const types = async (input: JsonObject, claims: Claims = {}) =>
      ((await read(listCatalogDocumentTypes, input, claims))['document_types'] as JsonObject[]).map(({ code }) => code);
    expect(await types({})).toEqual(['C', 'P', 'S']);
    expect(await types({}, ALL)).toEqual(['BELOW', 'C', 'P', 'S', 'SOLO']);
    expect(await types({ entity_code: 'E1' }, ALL)).toEqual(['C', 'P', 'S']);
    expect(await types({}, { ...ALL, activeEntity: 'E1' })).toEqual(['C', 'P', 'S']);
    await expect(types({ entity_code: 'E2' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const features = async (input: JsonObject, claims: Claims = {}) =>
      ((await read(listCharacteristics, input, claims))['characteristics'] as JsonObject[]).map(({ code }) => code);
    expect(await read(listCharacteristics, { document_types: ['P'] })).toEqual({
      characteristics: [{ category_code: 'FECHAS', code: 'FIRMA', kind: 'ATTRIBUTE' }],
    });
    expect(await features({})).toEqual(['URGENTE', 'FIRMA', 'RARA']);
    expect(await features({ document_types: ['C'] })).toEqual(['URGENTE', 'FIRMA']);
    expect(await features({ document_types: ['C', 'S'] })).toEqual(['URGENTE', 'FIRMA', 'RARA']);
    expect(await features({ document_types: ['NONE'] })).toEqual([]);
    expect(await features({ document_types: [] })).toEqual([]);
    expect(await features({ document_types: ['SOLO'] })).toEqual([]);
    expect(await features({ document_types: ['SOLO'] }, ALL)).toEqual(['Z1']);
    expect(await features({ document_types: ['BELOW'] })).toEqual([]);
    expect(await features({ document_types: ['BELOW'] }, ALL)).toEqual(['FIRMA']);
    await expect(features({ entity_code: 'E2' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('each reader of a page sees the counts and examples within visibility', async () => {
    const { ask, carry, code, rows } = await furnished();
    await carry('aE1', 'FECHAS', 'FIRMA', 'firmado el 3 de mayo');
    await carry('aE2', 'FECHAS', 'FIRMA', 'firmado el 4 de junio');
    const made = await ask(generateCategoryPage, { category_code: 'FECHAS' });
    expect(made['page']).toContain(`- Documents: 1\n  - aE1.txt (${code('aE1')}, page 2): “firmado el 3 de mayo”`);
    expect(made['page']).not.toContain('junio');
    const [stored] = await rows(`select page from ingestion.feature_category where group_id = $1 and code = 'FECHAS'`);
    expect(stored?.['page']).not.toMatch(/mayo|junio|Documents/);
    const read = async (claims: Claims, with_pages = true): Promise<JsonObject> => {
      const { categories } = await ask(listFeatureCategories, { document_type_code: 'P', with_pages }, claims);
      return (categories as JsonObject[])[0] ?? {};
    };
    expect((await read({}))['page']).toBe(made['page']);
    expect(await read(ALL)).toMatchObject({ page: expect.stringContaining('Documents: 2') as string });
    expect((await read({ entities: ['E2'] }))['page']).not.toContain('mayo');
    expect(await read({}, false)).toMatchObject({ page: null, page_at: made['page_at'] });
  });
});
