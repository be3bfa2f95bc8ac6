import 'reflect-metadata';
import type { Call, ScopeKind } from '@acervo/contracts';
import type { ScopeOf } from '@acervo/rbac';
import type { WriteContext } from './write-context';

/** The handler of a call: a read is `(scope, input)`, a write also gets the context of its one transaction. */
export type CallHandler<I extends object, O extends object, K extends ScopeKind> = (
  scope: ScopeOf[K],
  input: I,
  context: WriteContext,
) => Promise<O>;

const HANDLED = Symbol('acervo:handled-call');

/** Marks the one method that answers a call. */
export const Handles =
  <I extends object, O extends object, K extends ScopeKind>(call: Call<I, O, K>) =>
  <T extends CallHandler<I, O, K>>(
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    Reflect.defineMetadata(HANDLED, call, descriptor.value as object);
  };

export const handledCall = (method: object): Call | undefined =>
  Reflect.getMetadata(HANDLED, method) as Call | undefined;
