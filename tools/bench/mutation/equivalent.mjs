// Mutants that behave like the code, so that no test can notice them. Each states why.

const EXECUTION = 'libs/operations/src/execution';
const inFile =
  (file) =>
  (why, replaced, ...replacements) =>
    replacements.map((replacement) => ({ file, why, replaced, replacement }));

const executor = inFile(`${EXECUTION}/execution.handlers.ts`);
const store = inFile(`${EXECUTION}/idempotency.store.ts`);
const operations = inFile('libs/rbac/src/operations.ts');
const tokens = inFile(`${EXECUTION}/preview-tokens.ts`);

const MATCHED = 'the groups of the pattern are all there or none is; without them no key has the version NaN';
const VERSION = 'version === undefined';
const UNTIL = 'until === undefined';
const SIGNATURE = 'signature === undefined';
const BOTH = `${VERSION} || ${UNTIL}`;
const ALL = `${BOTH} || ${SIGNATURE}`;

/** `replaced` is the text in the file, `replacement` the text of the mutant. */
export const EQUIVALENT = [
  operations('only the scope of a user may be fixed', "scope.kind === 'user'", 'true'),
  executor('the codec takes every representation but that of the wire for the public one', "'public'", '""'),
  executor('an absent key and an undefined one are the same option', 'idempotencyKey === undefined', 'false'),
  store('the row that was just inserted is read again, with the same values', 'inserted !== undefined', 'false'),
  tokens(
    'names are different, and any total order makes equal texts of equal objects',
    'one < other',
    'one <= other',
    'one >= other',
  ),
  tokens('the first element of a match is skipped', '[]', '["Stryker was here"]'),
  tokens(MATCHED, ALL, 'false', `(${BOTH}) && ${SIGNATURE}`),
  tokens(MATCHED, BOTH, 'false', `${VERSION} && ${UNTIL}`),
  ...[VERSION, UNTIL, SIGNATURE].map((part) => tokens(MATCHED, part, 'false')),
].flat();
