import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { publicErrors } from '@acervo/public-mapping';
import * as contracts from './index';
import {
  allCalls,
  allEvents,
  assertListed,
  call,
  type CallerName,
  documentUrl,
  event,
  fieldsOf,
  operators,
  ownerOf,
  prefixes,
  programs,
  services,
  snakeCase,
} from './index';

/** A class with all its nested classes. */
const withNested = (type: Type, found = new Set<Type>()): Set<Type> => {
  if (!found.has(type)) {
    found.add(type);
    for (const { of } of fieldsOf(type)) if (of !== undefined) withNested(of(), found);
  }
  return found;
};

const roots: readonly Type[] = [
  ...allCalls().flatMap(({ input, output }) => [input, output]),
  ...allEvents().map(({ payload }) => payload),
];
const crossing = [...new Set(roots.flatMap((type) => [...withNested(type)]))];
const named = crossing.map((type) => [type.name, type] as const);
const fields = crossing.flatMap((type) =>
  fieldsOf(type).map((field) => [`${type.name}.${field.property}`, type, field] as const),
);

/** The entry of a property in the reference. */
const described = (type: Type, property: string): { name?: string; description?: string; type?: () => unknown } =>
  (Reflect.getMetadata('swagger/apiModelProperties', type.prototype as object, property) ?? {}) as object;
const documented = (type: Type): string[] =>
  ((Reflect.getMetadata('swagger/apiModelPropertiesArray', type.prototype as object) ?? []) as string[]).map((name) =>
    name.slice(1),
  );

describe('the classes that cross a boundary', () => {
  it('the classes that cross a boundary are found', () => {
    expect(crossing).toEqual(
      expect.arrayContaining([contracts.SearchRequest, contracts.SearchFilter, contracts.FileHints]),
    );
  });
  it.each(named)('%s has fields, unless it is empty on purpose', (_name, type) => {
    expect(fieldsOf(type).length === 0).toBe(type === contracts.Empty);
  });
  it.each(named)('%s documents exactly the fields that it reads and writes', (_name, type) => {
    expect(documented(type).sort()).toEqual(
      fieldsOf(type)
        .map(({ property }) => property)
        .sort(),
    );
  });
  it.each(named)('%s has each wire name and each property once', (_name, type) => {
    const [wires, properties] = [
      fieldsOf(type).map(({ wire }) => wire),
      fieldsOf(type).map(({ property }) => property),
    ];
    expect([new Set(wires).size, new Set(properties).size]).toEqual([wires.length, properties.length]);
  });
  it('classes have unique names, since the reference lists them by name', () => {
    expect(new Set(crossing.map(({ name }) => name)).size).toBe(crossing.length);
  });
  it.each(fields)('%s is described under its snake_case wire name', (_name, type, field) => {
    expect(field.wire).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    expect(described(type, field.property)).toMatchObject({
      name: field.wire,
      description: expect.stringMatching(/^[A-Z].+[^\s.]$/s) as string,
    });
  });
  it.each(fields.filter(([, , { of }]) => of !== undefined))(
    '%s links the reference to its class',
    (_name, type, field) => {
      const { type: lazy } = described(type, field.property);
      // The generator takes a function for a class unless it is called `type`.
      expect([lazy?.name, lazy?.()]).toEqual(['type', field.of?.()]);
    },
  );
  it.each([
    ['minSimilarity', 'min_similarity'],
    ['code', 'code'],
    ['area2Root', 'area2_root'],
  ])('the property %s has the wire name %s', (property, wire) => {
    expect(snakeCase(property)).toBe(wire);
  });
  it('two fields with one wire name are refused', () => {
    const declare = (): unknown => {
      class Twins {
        @contracts.Flag({ description: 'One' }) readonly one!: boolean;
        @contracts.Flag({ wire: 'one', description: 'Another' }) readonly other!: boolean;
      }
      return Twins;
    };
    expect(declare).toThrow('Twins declares the wire name one twice.');
  });
});

describe('the calls', () => {
  const calls = allCalls().map((declared) => [declared.code, declared] as const);
  const callers: readonly CallerName[] = [...services, ...operators];

  it('all calls are found', () => {
    expect(calls.length).toBeGreaterThan(0);
  });
  it.each(calls)('%s is a plural and a verb, with a known owner', (code, { owner, deadlineMs }) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
    expect(services).toContain(owner);
    expect(deadlineMs).toBeGreaterThan(0);
  });
  it.each(calls)('%s names known callers, each once', (_code, declared) => {
    expect(declared.callers.length).toBeGreaterThan(0);
    expect(new Set(declared.callers).size).toBe(declared.callers.length);
    expect(callers).toEqual(expect.arrayContaining([...declared.callers]));
  });
  it('a second call with one code is refused', () => {
    expect(() => call({ ...contracts.searchDocuments })).toThrow('Two calls have the code documents.search.');
  });
  it('every write is audited, but admissions of calls of a model', () => {
    const unaudited = allCalls().filter(({ audit }) => audit === 'none');
    expect(unaudited).toEqual([contracts.admitModelCall]);
  });
  it.each(['user', 'anonymous'] as const)('a call of scope %s is audited', (scope) => {
    const declare = () => call({ ...contracts.admitModelCall, code: 'tests.unaudited', scope });
    expect(declare).toThrow('tests.unaudited is no work of a service');
  });
  it('a declared call is immutable', () => {
    expect(() => Object.assign(contracts.searchDocuments, { callers: [] })).toThrow(TypeError);
  });
});

describe('the events', () => {
  const events = allEvents().map((declared) => [declared.topic, declared] as const);

  it('all events are found', () => {
    expect(events.length).toBeGreaterThan(0);
  });
  it.each(events)('%s ends in its version', (topic) => {
    expect(topic).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*\.v[1-9]\d*$/);
  });
  it.each(events)('%s has a known producer and known subscribers', (_topic, { producer, subscribers }) => {
    expect([...services, 'any']).toContain(producer);
    expect(subscribers.length).toBeGreaterThan(0);
    expect(services).toEqual(expect.arrayContaining([...subscribers]));
    expect(subscribers).not.toContain(producer);
  });
  it.each(events)('%s is ordered by a key that is text', (_topic, { payload, key }) => {
    const drawn = Object.fromEntries(fieldsOf(payload).map(({ property }) => [property, property]));
    expect(key(drawn)).toMatch(/./);
  });
  it('a second event with one topic is refused', () => {
    const { topic, producer, subscribers, payload, key } = contracts.documentWithdrawn;
    expect(() => event({ topic, producer, subscribers, payload, key })).toThrow(`Two events have the topic ${topic}.`);
  });
});

describe('the errors', () => {
  const errors: readonly contracts.DomainError[] = [
    new contracts.Conflict('Another one has this name.'),
    new contracts.ContextConflict(),
    new contracts.DoneBefore(),
    new contracts.EngineDown('OpenSearch', 'refused'),
    new contracts.FactorNotVerified(),
    new contracts.Forbidden('Not this one.'),
    new contracts.Gone('It is done elsewhere.'),
    new contracts.InternalFailure('It broke.', { attempts: 3 }),
    new contracts.Overloaded('the database'),
    new contracts.InvalidContext(),
    new contracts.InvalidInput({ missing: ['a'], invalid: ['b.c'], unknown: 2 }),
    new contracts.InvalidMeaning(['query']),
    new contracts.NotFound(),
    new contracts.QuotaExceeded(),
    new contracts.RateLimited(30),
    new contracts.SecondFactorOwed(),
    new contracts.TooManyEntities(),
    new contracts.Unauthorized(),
    new contracts.Unavailable('The engine does not answer.'),
    new contracts.WrongCredentials(),
  ];
  const classes = Object.values<unknown>(contracts).filter(
    (value) => typeof value === 'function' && value.prototype instanceof contracts.DomainError,
  );

  it('every error is listed in this spec', () => {
    expect(new Set(errors.map((error) => error.constructor))).toEqual(new Set(classes));
  });
  it.each(errors.map((error) => [error.name, error] as const))('%s keeps its class across a call', (_name, error) => {
    const frame = JSON.parse(JSON.stringify(contracts.errorFrame(error))) as contracts.ErrorFrame;
    const raised = contracts.raiseFrame(frame);
    expect(raised).toBeInstanceOf(error.constructor);
    expect(raised).toBeInstanceOf(Error);
    expect(contracts.errorFrame(raised)).toEqual(contracts.errorFrame(error));
    expect(raised.name).toBe(error.constructor.name);
    expect(publicErrors).toHaveProperty(error.code);
  });
  it.each(['Unheard', 'constructor', '__proto__'])('an unknown error %s keeps its code and details', (name) => {
    const frame = { name, code: 'CONFLICT', message: 'It is taken.', details: { count: 1 }, kinds: [] } as const;
    const raised = contracts.raiseFrame(frame);
    expect(raised).toBeInstanceOf(contracts.DomainError);
    expect(contracts.errorFrame(raised)).toEqual(frame);
  });
  it('an unknown error becomes its nearest known class, over any distance', () => {
    class EmbedderAway extends contracts.EngineDown {}
    const frame = contracts.errorFrame(new EmbedderAway('The embedder', 'no connection'));
    expect(frame.kinds).toEqual(['EngineDown', 'Unavailable']);
    const raised = contracts.raiseFrame(contracts.errorFrame(contracts.raiseFrame(frame)));
    expect(raised).toBeInstanceOf(contracts.Unavailable);
    expect(contracts.errorFrame(raised)).toEqual(frame);
  });
  it('an error with an unknown code becomes an internal failure', () => {
    const frame = { name: 'NotFound', code: 'constructor' as 'NOT_FOUND', message: 'hush', details: { hush: 1 } };
    expect(contracts.raiseFrame(frame)).toMatchObject({
      name: 'InternalFailure',
      code: 'INTERNAL_ERROR',
      message: 'A call failed with NotFound of an unknown code.',
      details: {},
    });
  });
  it('the details of an error omit empty fields', () => {
    expect(new contracts.InvalidInput({ missing: [], invalid: [], unknown: 0 }).details).toEqual({});
  });
  it('a second error with one name is refused', () => {
    const declare = (): unknown => {
      class NotFound extends contracts.DomainError {
        readonly code = 'NOT_FOUND';
      }
      return contracts.CrossesCalls(NotFound);
    };
    expect(declare).toThrow('Two errors are called NotFound; rename one.');
  });
});

describe('the url of a document', () => {
  it.each(['https://acervo.test', 'https://acervo.test/'])('below %s it leads to the page of the gateway', (base) => {
    const url = new URL(documentUrl(base, 'ACTA/2024 #1'));
    expect(url.href).toBe('https://acervo.test/app/documents/ACTA%2F2024%20%231');
    expect(ownerOf(url.pathname)).toBe('gateway');
  });
});

describe('the table of services', () => {
  it('a service without a row is named, with the file that lacks it', () => {
    for (const name of services) expect(() => assertListed(name)).not.toThrow();
    expect(() => assertListed('ledger')).toThrow(/libs\/contracts\/src\/services\.ts has no row of ledger/);
  });
  it('a service starts before those that call it', () => {
    const names = programs.map(({ name }) => name as string);
    expect(names[0]).toBe('auth');
    expect(names.at(-1)).toBe('gateway');
  });
});

describe('a public path', () => {
  it.each([
    ['/', 'gateway'],
    ['/v1', 'gateway'],
    ['/v1/search', 'gateway'],
    ['/version', 'gateway'],
    ['/openapi.json', 'gateway'],
    ['/docs/index.css', 'gateway'],
    ['/documentos/DOC-1', 'gateway'],
    ['/app/documents/DOC-1', 'gateway'],
    ['/application', undefined],
    ['/auth/login', 'auth'],
    ['/usuarios', 'auth'],
    ['/.well-known/jwks.json', 'auth'],
    ['/chat/1', 'chat'],
    ['/v10/search', undefined],
    ['/v1x', undefined],
    ['/V1/search', undefined],
    ['//v1', undefined],
    ['/internal/calls', undefined],
    ['/nothing', undefined],
    ['', undefined],
  ])('the path %s belongs to %s', (path, owner) => {
    expect(ownerOf(path)).toBe(owner);
  });
  it('each public path has one owner, which is a service', () => {
    expect(new Set(prefixes.map(({ prefix }) => prefix)).size).toBe(prefixes.length);
    for (const { prefix, owner } of prefixes) {
      expect(services).toContain(owner);
      expect(ownerOf(prefix)).toBe(owner);
    }
  });
});
