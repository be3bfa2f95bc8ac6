import type { routes } from './generated/routes';
import type { operations } from './generated/schema';

/** One route of the API, as its published description has it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its parameters in braces. */
  readonly path: string;
  readonly query: readonly string[];
  readonly hasBody: boolean;
  /** Whether requests carry an idempotency key: a repeated one has one effect. */
  readonly isKeyed: boolean;
}

/** The operationId of a route, which is the name of its method. */
export type OperationId = keyof typeof routes;

type Json<T> = T extends { content: { 'application/json': infer B } } ? B : unknown;
type Part<T, K extends string> = T extends { [P in K]?: infer V } ? NonNullable<V> : unknown;
type PathOf<T> = T extends { parameters: { path: infer P } } ? P : unknown;
type QueryOf<T> = T extends { parameters: { query?: infer Q } }
  ? [Q] extends [undefined]
    ? unknown
    : NonNullable<Q>
  : unknown;
type BodyOf<T> = [Part<T, 'requestBody'>] extends [never] ? unknown : Json<Part<T, 'requestBody'>>;

/** The input of a route: fields of its path, query and body in one flat object. */
export type Input<K extends OperationId> = PathOf<operations[K]> & QueryOf<operations[K]> & BodyOf<operations[K]>;

/** The answer of a route. */
export type Output<K extends OperationId> = operations[K]['responses'][200]['content']['application/json'];

/** Options of one request. */
export interface RequestOptions {
  /** Ends the request and its retries. */
  readonly signal?: AbortSignal;
  /** Names the request in answers and logs; the service makes one up without it. */
  readonly requestId?: string;
  /** Key of a write; without it the client makes one for each call, so that its own retries have one effect. */
  readonly idempotencyKey?: string;
}

/** The arguments of a method: without required fields the input may be left out. */
export type Arguments<K extends OperationId> =
  Record<never, never> extends Input<K>
    ? [input?: Input<K>, options?: RequestOptions]
    : [input: Input<K>, options?: RequestOptions];

/** A method for each route. */
export type Methods = { readonly [K in OperationId]: (...args: Arguments<K>) => Promise<Output<K>> };
