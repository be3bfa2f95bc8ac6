import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import {
  allCalls,
  allOperations,
  contractedOperations,
  Empty,
  type Field,
  fieldsOf,
  listUsers,
  operation,
  previewUserDeletion,
  screens,
  UserReference,
} from './index';

const declared = allOperations().map((each) => [each.code, each] as const);
const contracted = new Map(contractedOperations.map((row) => [row.code, row]));

const counted = (values: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

const IDENTIFIES = /(^|_)(codes?|run|entities|default_\w+)$/;

/** Public fields of an input that contain a code, an address or the number of something, at any depth. */
const identifiersOf = (type: Type, path: string): (readonly [string, Field])[] =>
  fieldsOf(type).flatMap((field): (readonly [string, Field])[] => {
    const { publicName, of, schema } = field;
    if (publicName === null) return [];
    if (of !== undefined) return identifiersOf(of(), `${path}.${publicName}`);
    const isCode = schema['minLength'] === 1 && schema['maxLength'] === 120;
    const identifies = isCode || schema['format'] === 'email' || IDENTIFIES.test(publicName);
    return identifies ? [[`${path}.${publicName}`, field]] : [];
  });
const identifiers = allOperations().flatMap(({ code, input }) => identifiersOf(input, code));

describe('the contract of operations', () => {
  it('every operation is declared', () => {
    const codes = new Set(declared.map(([code]) => code));
    const missing = contractedOperations.map(({ code }) => code).filter((code) => !codes.has(code));
    expect(missing).toEqual([]);
  });
  it('the contract has 108 operations: 41 read, 50 write, 17 write_confirm', () => {
    expect(counted(contractedOperations.map(({ kind }) => kind))).toEqual({ read: 41, write: 50, write_confirm: 17 });
    expect(counted(contractedOperations.map(({ profile }) => profile))).toEqual({ ADMINISTRADOR: 83, USUARIO: 25 });
    expect(contracted.size).toBe(108);
  });
  it('every screen has an operation', () => {
    const named = new Set(contractedOperations.flatMap((row) => row.screens));
    expect([...named].toSorted()).toEqual(screens.toSorted());
  });
});

describe('a declared operation', () => {
  it('every declared operation is found', () => {
    expect(declared.length).toBeGreaterThan(0);
    expect(allOperations()).toContain(listUsers);
    expect(allCalls()).toContain(listUsers);
  });
  it.each(declared)(
    '%s has the kind, the level and the screens of the contract',
    (code, { kind, profile, screens }) => {
      expect({ code, kind, profile, screens }).toEqual(contracted.get(code));
    },
  );
  it.each(declared)('%s is a call of users that the executor may send', (_code, { scope, callers, effect, kind }) => {
    expect([scope, callers.at(-1)]).toEqual(['user', 'operations']);
    expect(effect).toBe(kind === 'read' ? 'read' : 'write');
  });
  it.each(declared)('%s has a preview exactly if it requires a confirmation', (_code, { kind, preview }) => {
    expect(preview !== null).toBe(kind === 'write_confirm');
  });
  it.each(declared)('%s is summarised in one sentence', (_code, { summary }) => {
    expect(summary).toMatch(/^[A-Z][^.]*\.$/);
  });
  it.each(identifiers)('%s declares what it names', (_path, { names }) => {
    expect(names).toBeDefined();
  });
  it('a declared operation is immutable', () => {
    expect(() => Object.assign(listUsers, { screens: [] })).toThrow(TypeError);
  });
});

describe('an invalid declaration of an operation', () => {
  const shape = { owner: 'auth', profile: 'ADMINISTRADOR', screens: ['MANAGE_USERS'], summary: 'No.' } as const;
  const deletion = { ...shape, kind: 'write_confirm', input: UserReference, output: Empty } as const;

  it('an operation with the code of another call is refused', () => {
    const twin = { ...shape, code: listUsers.code, kind: 'read', input: Empty, output: Empty } as const;
    expect(() => operation(twin)).toThrow('Two calls have the code users.list.');
  });
  it('an operation without a screen is refused', () => {
    const hidden = { ...shape, code: 'things.list', kind: 'read', screens: [], input: Empty, output: Empty } as const;
    expect(() => operation(hidden)).toThrow(/names no screen/);
  });
  it('an operation with a writing preview is refused', () => {
    const preview = { ...previewUserDeletion, effect: 'write' } as const;
    expect(() => operation({ ...deletion, code: 'things.delete', preview })).toThrow(/is not a read/);
  });
  it('an operation with a preview closed to the executor is refused', () => {
    const preview = { ...previewUserDeletion, callers: ['gateway'] } as const;
    expect(() => operation({ ...deletion, code: 'things.delete', preview })).toThrow(/add operations to its callers/);
  });
});
