import assert from 'node:assert/strict';
import test from 'node:test';
import { absentProviders } from './absent-providers.mjs';

const problems = (text) => absentProviders('a.ts', text);

for (const [title, text] of [
  [
    'an injected parameter that may be null',
    '@Injectable() class A { constructor(@Inject(B) private readonly b: B | null) {} }',
  ],
  [
    'an optional parameter without a default',
    '@Injectable() class A { constructor(@Optional() private readonly b?: B) {} }',
  ],
  ['a parameter of a module that may be undefined', '@Module({}) class A { constructor(b: B | undefined) {} }'],
  [
    'a factory whose type admits null',
    'const open = (): Promise<B | null> => later(); const a = { provide: B, useFactory: open };',
  ],
  [
    'a factory that yields null in one branch',
    'const a = { provide: B, useFactory: (c: C) => (c.is ? new B() : null) };',
  ],
  [
    'a factory that returns undefined',
    'const a = { provide: B, useFactory: (c: C) => { if (c.is) return undefined; return new B(); } };',
  ],
  [
    'a factory that takes an absent provider',
    'const a = { provide: B, inject: [C], useFactory: (c: C | null) => new B(c) };',
  ],
  ['a value that falls back to null', 'const a = { provide: B, useValue: b ?? null };'],
])
  test(`${title} is refused`, () => assert.equal(problems(text).length, 1));

for (const [title, text] of [
  [
    'a parameter with a default',
    '@Injectable() class A { constructor(@Optional() private readonly b: B = new NoB()) {} }',
  ],
  [
    'a factory that chooses between two strategies',
    'const a = { provide: B, useFactory: (c: C): B => (c.is ? new B() : new NoB()) };',
  ],
  ['a class that Nest does not make', 'class A { constructor(private readonly b: B | null) {} }'],
  ['a null inside a callback of a factory', 'const a = { provide: B, useFactory: () => new B(() => null) };'],
])
  test(`${title} is accepted`, () => assert.deepEqual(problems(text), []));
