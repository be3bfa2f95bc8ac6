import { assignmentsOf } from './assignments';

describe('the assignments of an update', () => {
  it('columns without a value stay, and null clears', () => {
    expect(assignmentsOf({ name: 'x', state: undefined, entity: null }, 3)).toEqual({
      ...{ sql: ['name = $3', 'entity = $4'], params: ['x', null] },
    });
    expect(assignmentsOf({ name: undefined }, 1)).toEqual({ sql: [], params: [] });
  });
});
