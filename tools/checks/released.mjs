// Fails where a change breaks a rolling upgrade: programs of the last release and of this version run side by side.
import { publishedProblems } from './published.mjs';
import { acceptedProblems, currentState, isBuilt, releasedState } from '../lib/contracts-state.mjs';

const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Bounds that a reader checks, and whether a new value admits all that an old one did. */
const WIDER = {
  minLength: (before, now) => now <= before,
  minimum: (before, now) => now <= before,
  maxLength: (before, now) => now >= before,
  maximum: (before, now) => now >= before,
  maxItems: (before, now) => now >= before,
};

const boundProblems = (where, before, now) =>
  Object.entries(WIDER)
    .filter(([bound]) => now[bound] !== undefined && now[bound] !== before[bound])
    .filter(([bound, isWider]) => before[bound] === undefined || !isWider(before[bound], now[bound]))
    .map(([bound]) => `${where} has a narrower ${bound}: what the last release sends is refused.`);

const enumProblems = (where, before = [], now = []) => [
  ...before
    .filter((value) => !now.includes(value))
    .map((value) => `${where} no longer has the value ${value}, which the last release sends.`),
  ...now
    .filter((value) => !before.includes(value))
    .map((value) => `${where} has the new value ${value}, which the last release refuses.`),
];

const fieldProblems = (where, before, now, isInput) => {
  if (!same(before.type, now.type) || !same(before.format, now.format))
    return [`${where} has another type: add a field with another name.`];
  if (Array.isArray(before.enum) !== Array.isArray(now.enum)) return [`${where} is a closed set in one version only.`];
  const items = before.items?.fields === undefined ? undefined : before.items;
  const nested = before.shape ?? items;
  const nestedNow = now.shape ?? (now.items?.fields === undefined ? undefined : now.items);
  if ((nested === undefined) !== (nestedNow === undefined)) return [`${where} has another type: add a field.`];
  return [
    ...enumProblems(where, before.enum, now.enum),
    ...(isInput ? boundProblems(where, before, now) : []),
    ...(nested === undefined ? [] : shapeProblems(where, nested, nestedNow, isInput)),
    ...(nested === undefined && before.items !== undefined
      ? fieldProblems(`an element of ${where}`, before.items, now.items ?? {}, isInput)
      : []),
  ];
};

/** Why a field may not be added or change whether it is required: one of two versions does not send it. */
const requirementProblem = (where, wasThere, isRequired) => {
  if (!wasThere) return `${where} is new and required: the last release does not send it. Declare it optional.`;
  return isRequired
    ? `${where} is required now: the last release may not send it.`
    : `${where} is optional now: the last release requires it.`;
};

/** Differences of two shapes that one of the versions cannot read. @param isInput whether a reader checks its bounds */
export const shapeProblems = (where, before, now, isInput) => {
  const isRequired = (shape, name) => shape.required.includes(name);
  return [
    ...Object.keys(before.fields)
      .filter((name) => now.fields[name] === undefined)
      .map((name) => `${where}.${name} is removed: the last release depends on it.`),
    ...Object.entries(now.fields).flatMap(([name, field]) => {
      const [path, earlier] = [`${where}.${name}`, before.fields[name]];
      const changed = isRequired(now, name) !== isRequired(before, name);
      return [
        ...(changed ? [requirementProblem(path, earlier !== undefined, isRequired(now, name))] : []),
        ...(earlier === undefined ? [] : fieldProblems(path, earlier, field, isInput)),
      ];
    }),
  ];
};

const ADDRESS = ['owner', 'effect', 'scope', 'reach'];

const oneCallProblems = (code, before, now) => {
  if (now === undefined) return [`The call ${code} is removed: programs of the last release send it.`];
  return [
    ...ADDRESS.filter((name) => before[name] !== now[name]).map(
      (name) => `The call ${code} has another ${name}: declare a call with another code.`,
    ),
    ...before.callers
      .filter((caller) => !now.callers.includes(caller))
      .map((caller) => `The call ${code} is refused to ${caller}, whose last release sends it.`),
    ...shapeProblems(`The input of ${code}`, before.input, now.input, true),
    ...shapeProblems(`The output of ${code}`, before.output, now.output, false),
  ];
};

export const callProblems = (before, now) =>
  Object.entries(before).flatMap(([code, call]) => oneCallProblems(code, call, now[code]));

export const eventProblems = (before, now) =>
  Object.entries(before).flatMap(([topic, event]) => {
    const current = now[topic];
    if (current === undefined) return [`The event ${topic} is removed: events of the last release are on their way.`];
    return [
      ...(event.producer === current.producer
        ? []
        : [`The event ${topic} has another producer: declare an event with another topic.`]),
      ...shapeProblems(`The payload of ${topic}`, event.payload, current.payload, false),
    ];
  });

const numbersOf = (release) => release.split('.').map(Number);

/** Whether one release precedes another. */
export const precedes = (release, other) => {
  const [ours, theirs] = [numbersOf(release), numbersOf(other)];
  const differing = ours.findIndex((number, index) => number !== theirs[index]);
  return differing >= 0 && ours[differing] < theirs[differing];
};

const changedMigration = (where, before, now) => {
  if (now === undefined) return [`${where} is removed: databases of the last release have it.`];
  return same(before, now) ? [] : [`${where} has changed: databases have run it. Write another migration.`];
};

const newMigration = (where, { kind, oldestProgram }, release) => {
  if (kind === null) return [`${where} does not declare whether it expands or contracts.`];
  if (kind === 'expand' || !precedes(release, oldestProgram)) return [];
  return [
    `${where} contracts, and its oldest program ${oldestProgram} is newer than the last release ${release}, which runs during the upgrade. Release ${oldestProgram} first, without this migration.`,
  ];
};

/** @param release the last one */
export const migrationProblems = (before, now, release) =>
  Object.entries(now).flatMap(([service, migrations]) => {
    const ran = before[service] ?? {};
    return [
      ...Object.entries(ran).flatMap(([name, migration]) =>
        changedMigration(`The migration ${name} of ${service}`, migration, migrations[name]),
      ),
      ...Object.entries(migrations)
        .filter(([name]) => ran[name] === undefined)
        .flatMap(([name, migration]) => newMigration(`The migration ${name} of ${service}`, migration, release)),
    ];
  });

/** Tokens of one version are read by the other, in both directions. */
export const claimProblems = (before, now) =>
  Object.entries(before).flatMap(([token, shape]) =>
    shapeProblems(`The claims of the ${token} token`, shape, now[token], false),
  );

/** All differences that a rolling upgrade from the last release does not survive. */
export const compatibilityProblems = (before, now) => [
  ...callProblems(before.calls, now.calls),
  ...claimProblems(before.claims, now.claims),
  ...eventProblems(before.events, now.events),
  ...migrationProblems(before.migrations, now.migrations, before.release),
  ...publishedProblems(before.openapi, now.openapi),
];

/** Without the accepted ones; an acceptance that matches nothing is a problem as well. @param accepted reasons by problem */
export const withoutAccepted = (problems, accepted) => [
  ...problems.filter((problem) => accepted[problem] === undefined),
  ...Object.keys(accepted)
    .filter((problem) => !problems.includes(problem))
    .map((problem) => `tools/released/accepted.json accepts what is no problem: ${problem}`),
];

/** Problems of this checkout against tools/released. */
export const releasedProblems = () => {
  if (!isBuilt())
    return ['Contracts are compared with the last release once they are compiled: npx tsc -b apps/migrate.'];
  const [before, now] = [releasedState(), currentState()];
  return [
    ...(before.release === now.release
      ? []
      : [`RELEASE is ${now.release}, and tools/released is of ${before.release}: npm run release writes both.`]),
    ...withoutAccepted(compatibilityProblems(before, now), acceptedProblems()),
  ];
};
