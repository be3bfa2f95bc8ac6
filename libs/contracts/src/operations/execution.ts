import { call } from '../calls';
import { Empty } from '../empty';
import { Choice, Code, Flag, Int, ListOf, OpenObject, Text, TextList } from '../fields';
import { operationKinds, type OperationKind } from '../operation';

/** An operation as the list shows it. */
export class OperationItem {
  @Code({ description: 'Operation code' }) readonly code!: string;
  @Choice(operationKinds, {
    publicly: 'same',
    description: 'What it does: reads, writes, or writes once that is confirmed',
  })
  readonly kind!: OperationKind;
  @Flag({ description: 'It runs only with confirm; without it the answer is a preview' })
  readonly confirmRequired!: boolean;
  @TextList({ max: 50, length: 120, description: 'Screens of the application that use it' })
  readonly functions!: readonly string[];
}

export class OperationList {
  @ListOf(() => OperationItem, { max: 1_000, description: 'Operations that the caller reaches, by code' })
  readonly operations!: readonly OperationItem[];
  @Int({ description: 'How many they are' }) readonly total!: number;
}

export class OperationReference {
  @Code({ names: 'operation', description: 'Operation code' }) readonly code!: string;
}

export class OperationDetail extends OperationItem {
  @OpenObject({ description: 'JSON schema of the input: one flat, closed object' })
  readonly inputSchema!: Readonly<Record<string, unknown>>;
  @OpenObject({ description: 'JSON schema of the result' })
  readonly outputSchema!: Readonly<Record<string, unknown>>;
}

/** A request to execute an operation. */
export class ExecutionRequest {
  @OpenObject({ optional: true, description: 'Input as the schema of the operation has it' })
  readonly input?: Readonly<Record<string, unknown>>;
  @Flag({ default: false, description: 'Do it; what needs a confirmation is previewed otherwise' })
  readonly confirm!: boolean;
  @Text({
    min: 1,
    max: 400,
    optional: true,
    description: 'Token of a preview: refused when what the preview counted is different by now',
  })
  readonly previewToken?: string;
}

export class Execution extends ExecutionRequest {
  @Code({ names: 'operation', description: 'Operation code' }) readonly code!: string;
}

/** The outcome of an execution. */
export class ExecutionOutcome {
  @Code({ description: 'Operation code' }) readonly code!: string;
  @Choice(operationKinds, { description: 'Kind of the operation' }) readonly kind!: OperationKind;
  @Flag({ description: 'It was done' }) readonly executed!: boolean;
  @Flag({ optional: true, description: 'True where it needs a confirmation first' })
  readonly confirmRequired?: boolean;
  @OpenObject({ optional: true, description: 'Result as the schema of the operation has it' })
  readonly result?: Readonly<Record<string, unknown>>;
  @OpenObject({ optional: true, description: 'What it would do: the input, what it counts, and the token of that' })
  readonly preview?: Readonly<Record<string, unknown>>;
}

export class PublishedOperations {
  @ListOf(() => OperationItem, { max: 1_000, description: 'All published operations, by code' })
  readonly operations!: readonly OperationItem[];
}

/** All published operations, whatever their rights: auth compares functions with them. */
export const listPublishedOperations = call({
  code: 'operations.list_published',
  owner: 'operations',
  scope: 'work',
  callers: ['auth'],
  effect: 'read',
  input: Empty,
  output: PublishedOperations,
});

const asked = { owner: 'operations', scope: 'user', callers: ['gateway', 'chat'] } as const;

/** Operations that the caller's role, screens and level reach. */
export const listOperations = call({
  ...asked,
  code: 'operations.list',
  effect: 'read',
  input: Empty,
  output: OperationList,
});

/** @throws NotFound for an operation that does not exist or that the caller does not reach. */
export const describeOperation = call({
  ...asked,
  code: 'operations.describe',
  effect: 'read',
  input: OperationReference,
  output: OperationDetail,
});

/** Sends the call of an operation on behalf of the caller. Its effect and its audit record are those of that call. */
export const executeOperation = call({
  ...asked,
  code: 'operations.execute',
  effect: 'forward',
  input: Execution,
  output: ExecutionOutcome,
  deadlineMs: 30_000,
});
