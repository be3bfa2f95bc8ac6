/** Why a statement is no view. */
export const refusals = [
  'TEXT',
  'SYNTAX',
  'STATEMENT',
  'NODE',
  'FIELD',
  'VALUE',
  'NAME',
  'FUNCTION',
  'OPERATOR',
  'RELATION',
  'COLUMN',
  'SIZE',
  'DEPTH',
  'RENDERING',
] as const;
export type Refusal = (typeof refusals)[number];

/** A statement is outside of what a view may be. The message never repeats the statement. */
export class ViewRefused extends Error {
  override readonly name = 'ViewRefused';
  constructor(readonly refusal: Refusal) {
    super(`The statement is no view: ${refusal}.`);
  }
}
