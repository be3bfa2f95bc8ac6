/** The operands of a composed space as rows `o (space_id, place)`; of any other, two rows without a number. */
export const operandsOf = (alias: string): string =>
  `(values ((${alias}.expression->>'spaceIdA')::int, 1), ((${alias}.expression->>'spaceIdB')::int, 2)) o (space_id, place)`;

/** That an operand of a composed space was deleted. */
export const lacksOperand = (alias: string): string =>
  `(${alias}.expression is not null and exists (select from ${operandsOf(alias)} where not exists (
    select from retrieval.space p where p.group_id = ${alias}.group_id and p.space_id = o.space_id)))`;

/** That something defines the space, which was not gathered since it was imported. */
export const neverGathered = (alias: string): string =>
  `(${alias}.version = 0 and (${alias}.criteria is not null or ${alias}.expression is not null or ${alias}.listed is not null))`;
