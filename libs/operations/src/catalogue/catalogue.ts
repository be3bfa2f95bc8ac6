import { type JsonSchema, jsonSchemaOf, NotFound, type Operation } from '@acervo/contracts';
import { type OperationRow, reaches, type Scope } from '@acervo/rbac';

/** An operation with who may run it and what it takes and gives. */
export interface Entry extends Operation, OperationRow {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
}

const problemsOf = ({ code, call, preview }: Operation, row: OperationRow | undefined): string[] => {
  if (row === undefined) return [`${code} is published and stands in no row of the table; add it to rbac.`];
  const writes = row.kind !== 'read';
  return [
    ...(writes === (call.effect === 'write') ? [] : [`${code} is a ${row.kind} and its call a ${call.effect}.`]),
    ...((row.kind === 'write_confirm') === (preview !== null)
      ? []
      : [`${code} is a ${row.kind}; give it ${preview === null ? 'a preview' : 'none'}.`]),
  ];
};

const described = ({ summary }: Operation, schema: JsonSchema): JsonSchema => ({ description: summary, ...schema });

/**
 * Everything that programs may do, from what is published and from the table of who may do it.
 * @throws Error that names whatever does not fit together, each operation in neither list or in both included.
 */
export class Catalogue {
  private readonly byCode: ReadonlyMap<string, Entry>;

  constructor(operations: readonly Operation[], rows: readonly OperationRow[], pending: readonly string[]) {
    const rowOf = new Map(rows.map((row) => [row.code, row]));
    const published = new Set(operations.map(({ code }) => code));
    const problems = [
      ...operations.flatMap((operation) => problemsOf(operation, rowOf.get(operation.code))),
      ...pending.filter((code) => published.has(code)).map((code) => `${code} is published; it is pending no more.`),
      ...rows
        .filter(({ code }) => !published.has(code) && !pending.includes(code))
        .map(({ code }) => `${code} is neither published nor pending.`),
    ];
    if (problems.length > 0) throw new Error(`The catalogue of operations is incomplete:\n${problems.join('\n')}`);
    this.byCode = new Map(operations.map((operation) => [operation.code, this.entryOf(operation, rowOf)]));
  }

  get entries(): readonly Entry[] {
    return [...this.byCode.values()];
  }

  /** What a caller reaches, by code. */
  reachable(scope: Scope): readonly Entry[] {
    return this.entries.filter((entry) => isReached(scope, entry));
  }

  /** @throws NotFound for a code that does not exist and for one that the caller does not reach. */
  find(scope: Scope, code: string): Entry {
    const entry = this.byCode.get(code);
    if (entry === undefined || !isReached(scope, entry)) throw new NotFound();
    return entry;
  }

  private entryOf(operation: Operation, rowOf: ReadonlyMap<string, OperationRow>): Entry {
    const row = rowOf.get(operation.code);
    if (row === undefined) throw new Error(`${operation.code} has no row.`);
    const { input, output } = operation.call;
    const inputSchema = described(operation, jsonSchemaOf(input, 'public'));
    // What a preview counts is published too, so its codes need public names as much.
    if (operation.preview !== null) jsonSchemaOf(operation.preview.output, 'public');
    return Object.freeze({ ...operation, ...row, inputSchema, outputSchema: jsonSchemaOf(output, 'public') });
  }
}

const isReached = (scope: Scope, { profile, screens }: OperationRow): boolean =>
  reaches(scope, { kind: 'level', profile, anyOf: screens });
