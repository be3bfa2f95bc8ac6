import { allCalls, type Call, type CallerName, decode, encode, type ServiceName } from '@acervo/contracts';
import { Tracer } from '@acervo/platform-observability';
import { type AnyScope, assertWithinReach } from '@acervo/rbac';
import { FrameRefused } from './errors';
import { type CallHandler, handledCall } from './handlers';
import type { LocationSets } from './location-sets';
import type { WriteContext, WriteContexts } from './write-context';

type Handler = CallHandler<object, object, Call['scope']>;

/** One call to its handler, from this process or over the network. */
export interface Dispatch {
  readonly code: string;
  readonly caller: CallerName;
  readonly scope: AnyScope;
  readonly input: unknown;
  readonly idempotencyKey?: string | undefined;
  /** The id of the proof of a call over the network. */
  readonly proofId?: string | undefined;
}

const handlersIn = (provider: object): [Call, Handler][] => {
  const prototype = Object.getPrototypeOf(provider) as object;
  return Object.getOwnPropertyNames(prototype).flatMap((name): [Call, Handler][] => {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    const call = typeof method === 'function' ? handledCall(method) : undefined;
    return call === undefined || typeof method !== 'function' ? [] : [[call, method.bind(provider) as Handler]];
  });
};

/** Answers the calls that one service owns. Incomplete wiring fails at start-up. */
export class CallServer {
  private readonly handlers = new Map<string, { call: Call; handle: Handler }>();

  /** @param locations loads the folders that a scope contains as a hash; needed by a service that reads under them */
  constructor(
    readonly service: ServiceName,
    private readonly contexts: WriteContexts,
    private readonly tracer: Tracer = Tracer.none,
    private readonly locations?: Pick<LocationSets, 'complete'>,
  ) {}

  /**
   * Answers calls by the methods of these providers that carry `@Handles`.
   * @throws when a call of this service has no handler, two, or a handler answers a call of another service.
   */
  register(providers: readonly object[]): this {
    for (const [call, handle] of providers.flatMap(handlersIn)) this.add(call, handle);
    const missing = allCalls().filter(({ owner, code }) => owner === this.service && !this.handlers.has(code));
    if (missing.length > 0)
      throw new Error(
        `${this.service} answers no ${missing.map(({ code }) => code).join(', ')}; add @Handles to a method of a provider.`,
      );
    return this;
  }

  callOf(code: string): Call | undefined {
    return this.handlers.get(code)?.call;
  }

  /** The encoded answer of a call. Checks caller and scope for both ways, in process and over the network. */
  dispatch(call: Dispatch): Promise<Record<string, unknown>> {
    const attributes = { 'acervo.caller': call.caller };
    return this.tracer.run({ name: `answer ${call.code}`, kind: 'server', attributes }, () => this.answer(call));
  }

  private async answer({
    code,
    caller,
    scope: received,
    input: encoded,
    idempotencyKey,
    proofId,
  }: Dispatch): Promise<Record<string, unknown>> {
    const found = this.handlers.get(code);
    if (found === undefined) throw new FrameRefused('no handler answers it here');
    const { call, handle } = found;
    if (!call.callers.includes(caller)) throw new FrameRefused(`${caller} may not send it`);
    if (call.scope !== received.kind) throw new FrameRefused(`it needs a scope of kind ${call.scope}`);
    const input = decode(call.input, encoded, { closed: false });
    const scope = await this.completed(received);
    // A read also gets a context, but its transaction cannot be opened.
    const context = this.contexts.open({ call, caller, scope, input, idempotencyKey, proofId });
    return encode(call.output, await this.run(call, handle, scope, input, context));
  }

  private async completed(scope: AnyScope): Promise<AnyScope> {
    const { locations } = this;
    return scope.kind === 'user' && locations !== undefined ? locations.complete(scope) : scope;
  }

  private async run(
    call: Call,
    handle: Handler,
    scope: AnyScope,
    input: object,
    context: WriteContext,
  ): Promise<object> {
    if (call.effect !== 'write') {
      assertWithinReach(scope, call);
      return handle(scope, input, context);
    }
    try {
      assertWithinReach(scope, call);
      await context.assertNotDone();
      const output = await handle(scope, input, context);
      context.assertUsed();
      return output;
    } catch (error) {
      const meaning = await context.meaningOf(error);
      await context.remember(meaning);
      throw meaning;
    }
  }

  private add(call: Call, handle: Handler): void {
    if (call.owner !== this.service) throw new Error(`${this.service} handles ${call.code}, which ${call.owner} owns.`);
    if (this.handlers.has(call.code)) throw new Error(`${call.code} has two handlers in ${this.service}.`);
    this.handlers.set(call.code, { call, handle });
  }
}
