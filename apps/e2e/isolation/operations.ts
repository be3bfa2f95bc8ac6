import { randomUUID } from 'node:crypto';
import { allCalls, type Call, errorFrame } from '@acervo/contracts';
import { crossingOf } from '@acervo/platform-calls';
import { anonymous, type AnyScope, WorkScope } from '@acervo/rbac';
import { assertEnglish } from '../harness/english';
import type { Credentials, Door } from './credentials';
import type { TenantFixture } from './tenant-fixture';
import type { Installation } from './installation';
import { type Place, type Route, routesOf } from './routes';
import { assembled, type Slot, slotsOf } from './shapes';
import type { Group } from './tenants';

/** A slot, and its place in the request. */
export interface PlacedSlot extends Slot {
  readonly place: Place | 'input';
}

export type Values = ReadonlyMap<PlacedSlot, unknown>;

/** A response without the parts that differ from one response to the next. */
export interface Received {
  readonly succeeded: boolean;
  readonly status: string;
  /** Every byte, for comparisons. */
  readonly compared: string;
  readonly sent: string;
}

/** An operation of the product that the suite can try: a route, a Call, a tool over MCP, or the work of a message or a task. */
export interface Operation {
  readonly kind: 'route' | 'call' | 'work' | 'tool';
  readonly name: string;
  readonly writes: boolean;
  /** Schema of the service that executes it; null if a Call forwards it to another service. */
  readonly writesTo: string | null;
  /** The least privileged caller that may send it. */
  readonly by: 'anybody' | 'administrator' | 'system';
  readonly slots: readonly PlacedSlot[];
  /** The kinds of authentication that its checks use. */
  readonly doors: readonly Door[];
  /** Writes what a fixture of a group needs beside its rows. */
  ready?(group: Group, fixture: TenantFixture): Promise<void>;
  ask(values: Values, door: Door, credentials: Credentials): Promise<Received>;
}

const DURATION = /"duration_ms":[\d.]+/g;

const valuesAt = (values: Values, place: PlacedSlot['place']): [PlacedSlot['path'], unknown][] =>
  [...values].filter(([slot]) => slot.place === place).map(([slot, value]) => [slot.path, value]);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(value));

const addressOf = (route: Route, values: Values): string => {
  const named = Object.fromEntries(valuesAt(values, 'param').map(([[name = ''], value]) => [name, textOf(value)]));
  const filled = route.path.replace(/(?<!\\):(\w+)/g, (_, name: string) =>
    encodeURIComponent(named[name] ?? 'nothing'),
  );
  // A backslash precedes a colon that belongs to the path itself.
  const path = filled.replaceAll('\\:', ':');
  const query = valuesAt(values, 'query').map(([[name = ''], value]) => [String(name), textOf(value)]);
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
};

/** The body, its date, and no part that varies over time. */
const receivedFrom = async (answer: Response, path: string, sent: string): Promise<Received> => {
  const text = await answer.text();
  assertEnglish(path, answer.status, text);
  const body = text.replace(DURATION, '"duration_ms":0');
  // The body determines the length.
  const headers = [...answer.headers].filter(([name]) => !['date', 'content-length'].includes(name));
  return {
    succeeded: answer.ok,
    status: String(answer.status),
    compared: `${answer.status}\n${headers
      .map((header) => header.join(': '))
      .toSorted()
      .join('\n')}\n\n${body}`,
    sent,
  };
};

/** Routes that change nothing, although they take a body. */
const READS = /\/(search|read|buscar-semantico|organization\/draft)$/;

const byOf = ({ requirement }: Route): Operation['by'] =>
  requirement.kind === 'nobody'
    ? 'anybody'
    : requirement.kind === 'level' && requirement.profile === 'SISTEMA'
      ? 'system'
      : 'administrator';

const routeOperation = (installation: Installation, route: Route): Operation => {
  const slots = route.inputs.flatMap(({ place, type, list }): PlacedSlot[] =>
    slotsOf(type, { path: list ? [0] : [] }).map((slot) => ({ ...slot, place })),
  );
  const list = route.inputs.some(({ place, list: isList }) => place === 'body' && isList);
  const hasBody = route.inputs.some(({ place }) => place === 'body');
  const writes = route.method !== 'GET' && !READS.test(route.path);
  return {
    kind: 'route',
    name: `${route.method} ${route.path}`,
    writes,
    writesTo: route.service === 'gateway' ? null : route.service,
    by: byOf(route),
    slots,
    doors: byOf(route) === 'anybody' ? ['nobody'] : route.path.startsWith('/v1') ? ['key', 'session'] : ['session'],
    ask: async (values, door, credentials) => {
      const address = addressOf(route, values);
      const assembledBody = assembled(valuesAt(values, 'body'));
      const body = hasBody ? JSON.stringify(list ? Object.values(assembledBody) : assembledBody) : undefined;
      const token = await credentials[door]();
      const answer = await fetch(`http://127.0.0.1:${installation.port}${address}`, {
        method: route.method,
        redirect: 'manual',
        headers: {
          'x-request-id': 'isolation',
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          // What is kept of a request for its repetition belongs to its group, too.
          ...(writes ? { 'idempotency-key': randomUUID() } : {}),
        },
        ...(body === undefined ? {} : { body }),
      });
      return receivedFrom(answer, address, `${address} ${body ?? ''} ${token}`);
    },
  };
};

const scopeFor = async (call: Call, door: Door, credentials: Credentials): Promise<AnyScope> => {
  if (call.scope === 'anonymous') return anonymous;
  if (call.scope === 'work') return new WorkScope(credentials.groupId, call.callers[0] ?? 'standalone', 'isolation');
  return credentials.scope(await credentials[door]());
};

const callOperation = (installation: Installation, call: Call): Operation => ({
  kind: 'call',
  name: call.code,
  writes: call.effect === 'write',
  writesTo: call.owner,
  by: call.scope === 'anonymous' ? 'anybody' : 'administrator',
  slots: slotsOf(call.input).map((slot) => ({ ...slot, place: 'input' })),
  doors: call.scope === 'user' ? ['session'] : ['nobody'],
  ask: async (values, door, credentials) => {
    const owner = installation.local.get(call.owner);
    const [caller] = call.callers;
    if (owner === undefined || caller === undefined) throw new Error(`${call.code} has no handler or no caller.`);
    const input = assembled(valuesAt(values, 'input'));
    const sent = JSON.stringify(input);
    const scope = await scopeFor(call, door, credentials);
    try {
      const output = JSON.stringify(await owner.dispatch({ code: call.code, caller, scope, input }));
      return { succeeded: true, status: 'answered', compared: output.replace(DURATION, '"duration_ms":0'), sent };
    } catch (error) {
      const crossed = crossingOf(error, call.code);
      return { succeeded: false, status: crossed.code, compared: JSON.stringify(errorFrame(crossed)), sent };
    }
  },
});

/** All operations: the routes of all services, and all Calls that a running service answers. */
export const operationsOf = (installation: Installation): Operation[] => [
  ...installation.services.flatMap(routesOf).map((route) => routeOperation(installation, route)),
  ...allCalls().map((call) => callOperation(installation, call)),
];
