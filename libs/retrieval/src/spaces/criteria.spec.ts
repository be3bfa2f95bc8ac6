import { SpaceCriteria } from '@acervo/contracts';
import { checkedCriteria } from './criteria';
import { criteriaSql } from '../space-members/criteria-sql';
import { CriteriaRefused } from './spaces.errors';

const criteria = (fields: Partial<SpaceCriteria>): SpaceCriteria => Object.assign(new SpaceCriteria(), fields);

describe('criteria', () => {
  it.each([
    ['NO_CRITERION', {}],
    ['NO_CRITERION', { documentTypes: [], attributes: [] }],
    ['QUERY_MISSING', { language: 'es', minSimilarity: 0.5 }],
    ['QUERY_MISSING', { queryLimit: 5 }],
    ['QUERY_NEEDS_AREA', { query: 'agua' }],
    ['TOO_MANY_WILDCARDS', { name: 'a*b*c*d*e*f*g*h*i*j*k*' }],
    ['TOO_MANY_WILDCARDS', { path: '**/'.repeat(11) }],
  ])('are refused with %s', (reason, fields) => {
    const check = (): SpaceCriteria => checkedCriteria(criteria(fields), 'ESPACIO');
    expect(check).toThrow(CriteriaRefused);
    expect(check).toThrow(expect.objectContaining({ details: expect.objectContaining({ reason }) as object }));
  });

  it('keep what is given and drop empty lists', () => {
    const fields = { documentTypes: ['A'], attributes: [], query: 'agua', queryLimit: 3 };
    expect(checkedCriteria(criteria(fields), 'AREA')).toEqual(
      criteria({ documentTypes: ['A'], query: 'agua', queryLimit: 3 }),
    );
  });

  it('number their parameters in order', () => {
    const { sql, params } = criteriaSql(
      criteria({ documentTypes: ['A'], name: 'x', changedSince: '2024-01-01T00:00:00Z', language: 'es' }),
      'd',
      3,
    );
    expect(sql).toBe(
      'd.type_codes && $3::text[] and d.name ~ $4 and d.changed_at >= $5::timestamptz and d.language = $6',
    );
    expect(params).toEqual([['A'], '^[xX]$', '2024-01-01T00:00:00Z', 'es']);
  });

  it('match nothing with a status that no search sees', () => {
    expect(criteriaSql(criteria({ status: 'ERROR' }), 'd').sql).toBe('false');
    expect(criteriaSql(criteria({ status: 'VECTORIZADO' }), 'd').sql).toContain('has_vectors = true');
  });

  it('admit every document with a query alone', () => {
    expect(criteriaSql(criteria({ query: 'agua' }), 'd')).toEqual({ sql: 'true', params: [] });
  });
});
