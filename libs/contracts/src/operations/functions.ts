import { behaviourClass, type BehaviourClass } from '@acervo/public-mapping';
import { Choice, Code, ListOf, OneOf, Text } from '../fields';
import { operation, operationKinds, type OperationKind } from '../operation';

export class FunctionCode {
  @Code({ names: 'function', description: 'Function code' }) readonly functionCode!: string;
}

export class FunctionBehavior {
  @OneOf(behaviourClass, { description: 'What the sentence describes' }) readonly class!: BehaviourClass;
  @Text({ max: 120, description: 'Title of its section' }) readonly section!: string;
  @Text({ max: 1_000, description: 'The sentence, in the language that it was written in' }) readonly text!: string;
}

export class FunctionOperation {
  @Code({ description: 'Operation code' }) readonly code!: string;
  @Choice(operationKinds, { publicly: 'same', description: 'Kind of the operation' }) readonly kind!: OperationKind;
}

/** A screen of the application: purpose, behaviour and operations. */
export class FunctionDetail {
  @Code({ description: 'Function code' }) readonly code!: string;
  @Text({ max: 200, description: 'Name' }) readonly name!: string;
  @Text({ max: 120, description: 'Stable English name' }) readonly alias!: string;
  @Text({ max: 1_000, description: 'What it is' }) readonly description!: string;
  @Text({ max: 4_000, description: 'What a user does there, in English' }) readonly summary!: string;
  @Text({ max: 300, description: 'Path of the screen in a client application' }) readonly url!: string;
  @Text({ max: 500_000, description: 'Its document, compiled Markdown' }) readonly documentation!: string;
  @ListOf(() => FunctionBehavior, { max: 200, description: 'How it behaves; these are no operations' })
  readonly behaviors!: readonly FunctionBehavior[];
  @ListOf(() => FunctionOperation, { max: 200, description: 'Operations of it that the caller reaches' })
  readonly operations!: readonly FunctionOperation[];
}

/** @throws NotFound for a function outside of the caller's catalogue. */
export const getFunction = operation({
  code: 'functions.get',
  owner: 'operations',
  callers: ['gateway', 'chat'],
  kind: 'read',
  profile: 'USUARIO',
  screens: [
    'AUDIT_USERS',
    'CHAT-FINAL-USER',
    'CHAT-USER',
    'DOCS_DASHBOARD',
    'MANAGE_GROUP_PROCESSES',
    'SECURITY-DASHBOARD',
    'SUBSCRIPTION_CANCELLATIONS',
  ],
  summary: 'Show a screen of the application: what it is for, how it behaves, which operations it uses.',
  input: FunctionCode,
  output: FunctionDetail,
});
