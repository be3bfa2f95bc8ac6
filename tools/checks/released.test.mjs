// Tests of the comparison with the last release: what is additive passes, and each other change is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  callProblems,
  claimProblems,
  eventProblems,
  migrationProblems,
  precedes,
  shapeProblems,
  withoutAccepted,
} from './released.mjs';

const TEXT = { type: 'string', maxLength: 10 };
const shape = (fields, required = Object.keys(fields)) => ({ required, fields });
const call = (change = {}) => ({
  ...{ owner: 'auth', effect: 'read', scope: 'user', reach: 'part', callers: ['gateway', 'operations'] },
  ...{ input: shape({ code: TEXT }), output: shape({ name: TEXT }), ...change },
});
const ofCall = (change, before = {}) => callProblems({ 'a.b': call(before) }, { 'a.b': call(change) });

for (const [what, change] of [
  ['an optional field of an input', { input: shape({ code: TEXT, more: TEXT }, ['code']) }],
  ['an optional field of an output', { output: shape({ name: TEXT, more: TEXT }, ['name']) }],
  ['a wider input', { input: shape({ code: { type: 'string', maxLength: 20 } }) }],
  ['a caller', { callers: ['gateway', 'operations', 'chat'] }],
])
  test(`${what} may be added`, () => {
    assert.deepEqual(ofCall(change), []);
  });

test('a call or an event may be added', () => {
  assert.deepEqual(callProblems({}, { 'a.b': call() }), []);
  assert.deepEqual(eventProblems({}, { 'a.v1': { producer: 'auth', payload: shape({}) } }), []);
});

test('a removed call is refused', () => {
  assert.deepEqual(callProblems({ 'a.b': call() }, {}), [
    'The call a.b is removed: programs of the last release send it.',
  ]);
});

const ENUM = { type: 'string', enum: ['A', 'B'] };
for (const [what, change, message, before] of [
  ['another owner', { owner: 'retrieval' }, /a\.b has another owner: declare a call with another code/],
  ['another effect', { effect: 'write' }, /another effect/],
  ['another scope', { scope: 'work' }, /another scope/],
  ['a caller less', { callers: ['gateway'] }, /refused to operations, whose last release sends it/],
  ['a required input more', { input: shape({ code: TEXT, more: TEXT }) }, /input of a\.b\.more is new and required/],
  ['a required output more', { output: shape({ name: TEXT, more: TEXT }) }, /output of a\.b\.more is new and required/],
  ['a required input', { input: shape({ code: TEXT }) }, /code is required now/, { input: shape({ code: TEXT }, []) }],
  ['an optional input', { input: shape({ code: TEXT }, []) }, /code is optional now: the last release requires it/],
  ['an optional output', { output: shape({ name: TEXT }, []) }, /name is optional now/],
  ['an input less', { input: shape({}) }, /input of a\.b\.code is removed/],
  ['an output less', { output: shape({}) }, /output of a\.b\.name is removed/],
  ['another type', { output: shape({ name: { type: 'integer' } }) }, /name has another type: add a field/],
  ['null', { output: shape({ name: { ...TEXT, type: ['string', 'null'] } }) }, /name has another type/],
  ['another format', { input: shape({ code: { ...TEXT, format: 'uuid' } }) }, /code has another type/],
  ['a narrower input', { input: shape({ code: { type: 'string', maxLength: 5 } }) }, /narrower maxLength/],
  [
    'a value more',
    { output: shape({ a: ENUM }) },
    /has the new value B/,
    { output: shape({ a: { ...ENUM, enum: ['A'] } }) },
  ],
  [
    'a value less',
    { input: shape({ a: { ...ENUM, enum: ['A'] } }) },
    /no longer has the value B/,
    { input: shape({ a: ENUM }) },
  ],
])
  test(`a call with ${what} is refused`, () => {
    const problems = ofCall(change, before);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0], message);
  });

test('a nested field is compared, also in a list', () => {
  const nested = (fields) => shape({ one: { type: 'object', shape: shape(fields) } });
  const listed = (fields) => shape({ all: { type: 'array', items: shape(fields) } });
  for (const of of [nested, listed])
    assert.match(shapeProblems('The input', of({ a: TEXT, b: TEXT }), of({ a: TEXT }), true).join(), /\.b is removed/);
});

test('an element of a list is compared', () => {
  const list = (items) => shape({ all: { type: 'array', items } });
  assert.match(shapeProblems('The input', list(TEXT), list({ type: 'integer' }), true).join(), /another type/);
});

const event = (fields, required) => ({ producer: 'auth', payload: shape(fields, required) });
for (const [what, now, message] of [
  ['removed', undefined, /The event a\.v1 is removed: events of the last release are on their way/],
  ['of another producer', { ...event({ id: TEXT }), producer: 'chat' }, /another topic/],
  ['with a required field more', event({ id: TEXT, more: TEXT }), /more is new and required/],
  ['with a field less', event({}), /id is removed/],
])
  test(`an event ${what} is refused`, () => {
    const problems = eventProblems({ 'a.v1': event({ id: TEXT }) }, now === undefined ? {} : { 'a.v1': now });
    assert.match(problems.join(), message);
    assert.equal(problems.length, 1);
  });

test('a claim more of a token is optional, and none is removed', () => {
  const problems = claimProblems({ scope: shape({ a: TEXT }) }, { scope: shape({ b: TEXT }) });
  assert.deepEqual(problems.length, 2);
  assert.match(problems.join(), /scope token\.a is removed.*scope token\.b is new and required/);
});

const RAN = { digest: 'x', kind: 'expand', oldestProgram: null };
const ofMigration = (now, before = { First1: RAN }) => migrationProblems({ auth: before }, { auth: now }, '1.2.0');

test('an expanding migration may be added, and a contracting one that the last release survives', () => {
  const contracting = { digest: 'z', kind: 'contract', oldestProgram: '1.2.0' };
  assert.deepEqual(ofMigration({ First1: RAN, Second2: { ...RAN, digest: 'y' }, Third3: contracting }), []);
});

for (const [what, now, message] of [
  ['that changed', { First1: { ...RAN, digest: 'y' } }, /First1 of auth has changed: databases have run it/],
  ['whose declaration changed', { First1: { ...RAN, kind: 'contract', oldestProgram: '1.0.0' } }, /has changed/],
  ['that is removed', {}, /First1 of auth is removed/],
  ['without a declaration', { First1: RAN, Second2: { ...RAN, kind: null } }, /Second2 of auth does not declare/],
  [
    'that contracts what the last release needs',
    { First1: RAN, Second2: { ...RAN, kind: 'contract', oldestProgram: '1.10.0' } },
    /oldest program 1\.10\.0 is newer than the last release 1\.2\.0, which runs during the upgrade\. Release 1\.10\.0 first/,
  ],
])
  test(`a migration ${what} is refused`, () => {
    const problems = ofMigration(now);
    assert.equal(problems.length, 1);
    assert.match(problems[0], message);
  });

test('releases are compared by their numbers', () => {
  assert.deepEqual(
    [precedes('1.9.0', '1.10.0'), precedes('1.10.0', '1.9.0'), precedes('1.0.0', '1.0.0')],
    [true, false, false],
  );
});

test('an accepted problem passes, and an acceptance without its problem is refused', () => {
  assert.deepEqual(withoutAccepted(['A is removed.', 'B is removed.'], { 'A is removed.': 'nothing sends it' }), [
    'B is removed.',
  ]);
  assert.match(withoutAccepted([], { 'A is removed.': 'nothing sends it' }).join(), /accepts what is no problem/);
});
