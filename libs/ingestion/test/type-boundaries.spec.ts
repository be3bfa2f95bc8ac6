import { addFeature, addFeatureCategory, getBoundary, getBoundaryImpact, setBoundary } from '@acervo/contracts';
import { Classifiers } from '../src/classification/classifiers';
import { TaxonomyStore } from '../src/taxonomy/taxonomy.store';
import { ALL, type Claims, type JsonObject, taxonomyGroups } from './taxonomy-groups';

const groups = taxonomyGroups();
const { group, withDocuments } = groups;

describe('the boundary of a type', () => {
  const RULE = { field: 'NAME', match: 'GLOB', value: '*.pdf', effect: 'REQUIRES' };

  it('given parts are replaced and absent ones stay', async () => {
    const { ask, type } = group();
    await type('A');
    const empty = { includes: '', excludes: '', rules: [], examples: [], hidden_examples: 0 };
    expect(await ask(getBoundary, { document_type_code: 'A' })).toEqual({ document_type_code: 'A', ...empty });
    await ask(setBoundary, { document_type_code: 'A', includes: 'Contratos.', rules: [RULE] });
    const changed = await ask(setBoundary, { document_type_code: 'A', excludes: 'Facturas.' });
    expect(changed).toEqual({
      ...{ ...empty, document_type_code: 'A', includes: 'Contratos.', excludes: 'Facturas.', rules: [RULE] },
    });
    expect(await ask(getBoundary, { document_type_code: 'A' })).toEqual(changed);
    expect(await ask(setBoundary, { document_type_code: 'A', includes: '', rules: [] })).toMatchObject({ rules: [] });
  });

  it('a hostile boundary is refused and nothing is stored', async () => {
    const { ask, type, outcome, version } = group();
    await type('A');
    const before = [await ask(getBoundary, { document_type_code: 'A' }), await version()];
    const pattern = (value: string) => ({ rules: [RULE, { ...RULE, match: 'PATTERN', value }] });
    const invalid = ['VALIDATION_ERROR', null];
    const hostile: [JsonObject, unknown][] = [
      [{ examples: Array.from({ length: 10_000 }, (_, index) => `D${index}`) }, invalid],
      [{ includes: 'x'.repeat(2_001) }, invalid],
      [{ rules: Array.from({ length: 51 }, () => RULE) }, invalid],
      [pattern('x'.repeat(2_001)), invalid],
      [pattern(`(${'x'.repeat(1_900)}){1000}`), ['VALIDATION_ERROR', 'PATTERN_TOO_LARGE']],
      [pattern('(a)\\1'), ['VALIDATION_ERROR', 'PATTERN_REFERS_BACK']],
      [{ includes: 'stays out', examples: ['D999'] }, ['NOT_FOUND', null]],
      [{}, ['INVALID_REQUEST', null]],
    ];
    for (const [change, refusal] of hostile)
      expect([change, await outcome(setBoundary, { document_type_code: 'A', ...change })]).toEqual([change, refusal]);
    await expect(ask(setBoundary, { document_type_code: 'A', ...pattern('a(?=b)') })).rejects.toMatchObject({
      details: { invalid_fields: ['rules.value'], explanation: expect.stringContaining('look-ahead') as string },
    });
    expect([await ask(getBoundary, { document_type_code: 'A' }), await version()]).toEqual(before);
  });

  it('a caller sets and sees the examples within visibility; others stay', async () => {
    const { ask, type, outcome, code } = await withDocuments();
    await type('A');
    const set = (examples: string[], claims: Claims) => ask(setBoundary, { document_type_code: 'A', examples }, claims);
    expect(await set([code('aE1'), code('aE2'), code('aE1')], ALL)).toMatchObject({
      examples: [code('aE1'), code('aE2')].toSorted(),
      hidden_examples: 0,
    });
    expect(await set([code('bE1')], {})).toMatchObject({ examples: [code('bE1')], hidden_examples: 1 });
    expect(await ask(getBoundary, { document_type_code: 'A' }, ALL)).toMatchObject({
      examples: [code('bE1'), code('aE2')].toSorted(),
    });
    const hidden = { document_type_code: 'A', examples: [code('aE2')] };
    expect(await outcome(setBoundary, hidden)).toEqual(['NOT_FOUND', null]);
    expect(await ask(getBoundary, { document_type_code: 'A' })).toMatchObject({ examples: [code('bE1')] });
  });

  it('an example of the type of an entity is a document of that entity', async () => {
    const { type, outcome, code } = await withDocuments();
    await type('A', { entity_code: 'E1' });
    const set = (name: string) => outcome(setBoundary, { document_type_code: 'A', examples: [code(name)] }, ALL);
    expect([await set('aE1'), await set('aE2')]).toEqual(['done', ['NOT_FOUND', null]]);
  });

  it('an impact tries the examples that would be stored, hidden ones included', async () => {
    const { ask, type, outcome, code, groupId } = await withDocuments();
    await type('A');
    await type('E', { entity_code: 'E1' });
    await ask(setBoundary, { document_type_code: 'A', examples: [code('aE1'), code('aE2')] }, ALL);
    const tried = jest.spyOn(groups.bench.instance(Classifiers), 'examplesOf');
    const change = { document_type_code: 'A', examples: [code('bE1')] };
    await ask(getBoundaryImpact, change);
    const examples = tried.mock.calls[0]?.[1].types.find((each) => each.code === 'A')?.boundary.examples;
    tried.mockRestore();
    await ask(setBoundary, change);
    const stored = await groups.bench.database.read({ groupId }, (tx) => new TaxonomyStore().load(tx));
    expect(examples?.toSorted()).toEqual(stored.types.find((each) => each.code === 'A')?.boundary.examples);
    expect(examples).toHaveLength(2);
    const ofOther = { document_type_code: 'E', examples: [code('aE2')] };
    expect(await outcome(getBoundaryImpact, ofOther, ALL)).toEqual(['NOT_FOUND', null]);
  });

  it('the loaded taxonomy has the examples that are not deleted', async () => {
    const { ask, type, code, groupId, rows } = await withDocuments();
    await type('A', { entity_code: 'E1' });
    const rule = { ...RULE, match: 'PATTERN', value: 'acta \\d+' };
    const examples = [code('aE1'), code('bE1')];
    await ask(setBoundary, { document_type_code: 'A', includes: 'Actas.', rules: [rule], examples });
    await rows(`update ingestion.document set deleted_at = now() where group_id = $1 and code = $2`, [code('bE1')]);
    await ask(addFeatureCategory, { document_type_code: 'A', code: 'C', name: 'c', kind: 'ATTRIBUTE' });
    const phrases = [{ language: 'es', phrases: [' importe ', 'importe', ''] }];
    await ask(addFeature, { category_code: 'C', code: 'F', name: 'f', phrases });
    const loaded = await groups.bench.database.read({ groupId }, (tx) => new TaxonomyStore().load(tx));
    const [{ id } = { id: '' }] = await rows(
      'select document_id as id from ingestion.document where group_id = $1 and code = $2',
      [code('aE1')],
    );
    expect(loaded).toEqual({
      version: 3,
      types: [
        {
          ...{ code: 'A', name: 'Type A', description: '', parentCode: null, entityCode: 'E1' },
          boundary: { includes: 'Actas.', excludes: '', rules: [rule], examples: [id] },
        },
      ],
      categories: [
        { ...{ code: 'C', typeCode: 'A', name: 'c', description: '', kind: 'ATTRIBUTE', valueKind: 'TEXT' } },
      ],
      features: [
        {
          categoryCode: 'C',
          code: 'F',
          name: 'f',
          rule: { pattern: null, phrases: { es: ['importe'] } },
          prompt: null,
        },
      ],
    });
  });
});
