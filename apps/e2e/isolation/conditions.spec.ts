import { boundBy } from './conditions';

describe('a table is bound to a group', () => {
  it.each([
    ['by a parameter', ['(d.group_id = $1)'], ['d']],
    [
      'by a parameter, beside other conditions',
      ["((d.group_id = $1) AND ((d.name = 'a) OR (b') OR (d.size > 1)))"],
      ['d'],
    ],
    ['by a table that is bound itself', ['(u.group_id = $1)', '(k.group_id = u.group_id)'], ['u', 'k']],
    [
      'by the group of the reader, in a published relation',
      [
        "((r.group_id IS NULL) OR (r.group_id = (NULLIF(current_setting('app.group_id'::text, true), ''::text))::uuid))",
      ],
      ['r'],
    ],
    ['although rows without a group pass too', ['((r.group_id IS NULL) OR (r.group_id = $1))'], ['r']],
    [
      'in every one of several cases',
      ['(((d.group_id = $1) AND (d.a = 1)) OR ((d.group_id = $1) AND (d.b = 1)))'],
      ['d'],
    ],
  ])('a table is bound to a group %s', (_how, conditions, bound) => {
    expect([...boundBy(conditions)]).toEqual(bound);
  });

  it.each([
    ['by nothing', ['(d.code = $2)']],
    ['by another unbound table', ['(u.group_id = k.group_id)']],
    ['in one of several cases', ['((d.group_id = $1) OR (d.code = $2))']],
    ['by rows without a group alone', ['(r.group_id IS NULL)']],
    ['by a condition inside a text', ["(d.name = '(d.group_id = $1)')"]],
    ['by another setting', ["(d.group_id = (NULLIF(current_setting('app.user'::text, true), ''::text))::uuid)"]],
    ['by a difference from the parameter', ['(d.group_id <> $1)']],
  ])('a table is not bound to a group %s', (_how, conditions) => {
    expect([...boundBy(conditions)]).toEqual([]);
  });
});
