import type { ContractedOperation, JsonSchema } from '@acervo/contracts';
import { builtInRole, profile } from '@acervo/public-mapping';
import { OperationCatalogue, type Entry } from './operation-catalogue';

const fieldsIn = ({ properties, required }: JsonSchema): string =>
  Object.keys(properties as object)
    .map((name) => `\`${name}\`${(required as readonly string[]).includes(name) ? '' : '?'}`)
    .join(', ');

const contracted = ({ code, kind, profile: level, screens }: ContractedOperation): string =>
  `| \`${code}\` | ${kind} | ${profile.toPublic(level)} | ${screens.join(', ')} |`;

const rowOf = ({ operation, inputSchema, outputSchema }: Entry): string =>
  `${contracted(operation)} ${fieldsIn(inputSchema)} | ${fieldsIn(outputSchema)} | ${operation.summary} |`;

const write = (entries: readonly Entry[]): string =>
  `# Operations

What programs and agents do by name, in ${entries.length} operations: \`GET /v1/operations\` lists what a credential reaches, \`GET /v1/operations/{code}\` gives the schemas, \`POST /v1/operations/{code}:execute\` runs one. This page is written by \`npm run openapi\` from the declarations that validate; tests hold it to them, and kind, level and screens of all rows to the contract.

- A caller sees an operation if it has one of its screens and its level; any other code is 404.
- \`input\` is one flat, closed object. Missing fields are named in \`missing_fields\`, wrong ones in \`invalid_fields\`; undeclared ones are counted in \`unknown_field_count\` and never repeated. Null stands for an absent field where it has no meaning of its own.
- A **write_confirm** runs with \`confirm: true\` only. Without it the answer is a preview: the input, \`effect\` (what it would touch, counted by the same queries, in a transaction that cannot write) and \`preview_token\`. A confirmation with the token is 409 once the counts differ, and after ten minutes.
- \`Idempotency-Key\`: the same key with the same request has one effect and one answer for 24 hours; with another request it is 409. A request in progress is 409 with \`in_doubt: true\`; an executed request whose answer was lost is 409 with \`done: true\`.
- Codes of the product have English public names: the roles of the product are \`${builtInRole.publicCodes.join('\`, \`')}\` here; those that groups make keep their codes.
- Every write is recorded once, for every caller and route; \`audit.list\` shows the records, and \`npm start -- --verify-audit\` walks the chain that they form and compares it with its signed heads in the object store.

| Operation | Kind | Level | Screens | Input (? may be absent) | Result | What it does |
| --- | --- | --- | --- | --- | --- | --- |
${entries.map(rowOf).join('\n')}
`;

/** The content of `docs/operations-catalogue.md`: all operations with their fields. */
export const operationsGuide = (): string => write(new OperationCatalogue().entries);
