import {
  allOperations,
  inputSchemaOf,
  type JsonSchema,
  jsonSchemaOf,
  NotFound,
  type Operation,
} from '@acervo/contracts';
import { mayExecute, type Scope } from '@acervo/rbac';

/** An operation with its public schemas. */
export interface Entry {
  readonly operation: Operation;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
}

const entryOf = (operation: Operation): Entry => {
  const { summary, input, output, preview } = operation;
  // The counts of a preview are published too, so their codes need public names as well.
  if (preview !== null) jsonSchemaOf(preview.output, 'public');
  const inputSchema = { description: summary, ...inputSchemaOf(input, 'public') };
  return Object.freeze({ operation, inputSchema, outputSchema: jsonSchemaOf(output, 'public') });
};

/** The operations that programs and agents execute, as each caller sees them. */
export class OperationCatalogue {
  private readonly byCode: ReadonlyMap<string, Entry>;

  /** @throws FieldMappingMissing for a field whose codes have no public names. */
  constructor(operations: readonly Operation[] = allOperations()) {
    this.byCode = new Map(operations.map((operation) => [operation.code, entryOf(operation)]));
  }

  get entries(): readonly Entry[] {
    return [...this.byCode.values()];
  }

  /** The operations that a caller reaches, by code. */
  reachable(scope: Scope): readonly Operation[] {
    return this.entries.flatMap(({ operation }) => (mayExecute(scope, operation) ? [operation] : []));
  }

  /** @throws NotFound for a missing code, and for one that the caller does not reach. */
  find(scope: Scope, code: string): Entry {
    const entry = this.byCode.get(code);
    if (entry === undefined || !mayExecute(scope, entry.operation)) throw new NotFound();
    return entry;
  }
}
