import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { lives } from '../harness/processes';
import { temporary, write } from '../harness/program';
import { retryUntilAvailable, until } from '../harness/waiting';
import { type Change, SetReader } from './set-reader';
import { codesOf, seenOf, type Span, SpaceWorld } from './space-world';

/** Where one refresh dies, life after life: in its slices, before and after its flip. */
const DEATHS = ['space.middle', 'space.middle:3', 'space.middle:5', 'space.before-flip', 'space.flipped'];
/** A set that replaces another one leaves members to delete. */
const WITH_PURGE = [...DEATHS, 'space.purge'];
/** Create, refresh, compose, refresh what was composed. */
const CHAINS = [DEATHS, WITH_PURGE, DEATHS, WITH_PURGE];
const FAILPOINTS = CHAINS.flat()
  .map((place) => `retrieval/${place}`)
  .join(';');
const DATABASE_KILLS_MS = [0, 100];

const [FIRST, LATER, SMALL, MOVED]: readonly [Span, Span, Span, Span] = [
  { from: 0, to: 1_200 },
  { from: 200, to: 1_400 },
  { from: 1_300, to: 1_600 },
  { from: 1_300, to: 1_500 },
];
const NOTHING = { members: 0, tasks: 0 };

describe('a large set of documents whose processes are killed', () => {
  const place = temporary();
  let installation: Installation;
  let world: SpaceWorld;
  let kills = 0;
  const answers = { before: 0, after: 0, unavailable: 0 };

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'nota.txt': 'Una nota.' });
    const environment = { ACERVO_FAILPOINT: FAILPOINTS, ACERVO_RECONCILE_SETTLE_SECONDS: '3600' };
    installation = await Installation.start({ folder, data: join(place.path, 'data'), environment });
    world = await SpaceWorld.in(installation);
    await world.assign(FIRST, SMALL);
  });
  afterAll(async () => {
    await world.close();
    await installation.stop();
    place.remove();
    const { before, after, unavailable } = answers;
    process.stdout.write(
      `spaces: ${kills} kills; ${before} answers with the set before, ${after} with the set after, ${unavailable} without an answer\n`,
    );
  });

  const processId = (): Promise<number> =>
    retryUntilAvailable('a process of retrieval', () => installation.processesOf('retrieval')[0], 30_000);
  /** Waits until the process dies by itself, and lets its task be claimed again at once. */
  const dies = async (pid: number): Promise<void> => {
    await until('the death of retrieval', () => !lives(pid), 40_000);
    kills += 1;
    await world.expire();
    await world.hasten();
  };
  const settled = (): Promise<void> =>
    until('the end of all tasks', async () => {
      await world.hasten();
      return (await world.remains()).tasks === 0;
    });
  const complete = async (spaceId: number, change: Change & { readonly members: readonly string[] }): Promise<void> => {
    const { body } = await retryUntilAvailable('an answer', async () => {
      const answer = await world.read(spaceId);
      return answer.status === 200 ? answer : undefined;
    });
    expect((body['items'] as { code: string }[]).map(({ code }) => code)).toEqual(change.after);
    expect(await world.members(spaceId)).toEqual(change.members);
  };
  const count = async (reader: SetReader): Promise<void> => {
    const counts = await reader.stop();
    expect(reader.wrong).toEqual([]);
    for (const kind of ['before', 'after', 'unavailable'] as const) answers[kind] += counts[kind];
  };

  /** Sends a change whose workers die at each place in turn, while a reader reads the space. */
  const survives = async (
    places: readonly string[],
    change: Change & { readonly members: readonly string[]; readonly old: readonly string[] },
    send: () => Promise<Answer>,
    find: () => Promise<number>,
  ): Promise<number> => {
    let pid = await processId();
    const sent = send().catch(() => undefined);
    const spaceId = await find();
    const reader = new SetReader(() => world.read(spaceId), change);
    for (const [index, name] of places.entries()) {
      await dies(pid);
      const isFlipped = index >= places.indexOf('space.flipped');
      expect({ name, members: await world.members(spaceId) }).toEqual({
        name,
        members: isFlipped ? change.members : change.old,
      });
      if (index < places.length - 1) pid = await processId();
    }
    await sent;
    await settled();
    await complete(spaceId, change);
    await count(reader);
    expect(await world.remains()).toEqual(NOTHING);
    return spaceId;
  };

  let created = 0;
  let composed = 0;

  it('a new set appears as a whole', async () => {
    const change = { before: [], after: seenOf(FIRST), old: [], members: codesOf(FIRST) };
    created = await survives(
      DEATHS,
      change,
      () => world.create('Grande', 'A'),
      () => world.numberOf('Grande'),
    );
  });

  it('a refreshed set is the old one or the new one', async () => {
    await world.assign(LATER, SMALL);
    const change = {
      ...{ before: seenOf(FIRST), after: seenOf(LATER) },
      ...{ old: codesOf(FIRST), members: codesOf(LATER) },
    };
    await survives(
      WITH_PURGE,
      change,
      () => world.refresh(created),
      () => Promise.resolve(created),
    );
  });

  it('a composed set appears as a whole', async () => {
    expect((await world.create('Otro', 'B')).status).toBe(200);
    const other = await world.numberOf('Otro');
    const [spans, name] = [[LATER, SMALL] as const, 'Compuesto'];
    const change = { before: [], after: seenOf(...spans), old: [], members: codesOf(...spans) };
    const send = (): Promise<Answer> => world.compose(name, 'union', created, other);
    composed = await survives(DEATHS, change, send, () => world.numberOf(name));
  });

  it('a composed set that is refreshed is the old one or the new one', async () => {
    await world.assign(LATER, MOVED);
    expect((await world.refresh(await world.numberOf('Otro'))).status).toBe(200);
    const change = {
      ...{ before: seenOf(LATER, SMALL), after: seenOf(LATER, MOVED) },
      ...{ old: codesOf(LATER, SMALL), members: codesOf(LATER, MOVED) },
    };
    await survives(
      WITH_PURGE,
      change,
      () => world.refresh(composed),
      () => Promise.resolve(composed),
    );
  });

  it('a killed database leaves the old set or the new one', async () => {
    let [before, after] = [LATER, FIRST];
    for (const afterMs of DATABASE_KILLS_MS) {
      await world.assign(after, MOVED);
      const reader = new SetReader(() => world.read(created), { before: seenOf(before), after: seenOf(after) });
      const sent = world.refresh(created).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      for (const pid of installation.processesOf('database')) process.kill(pid, 'SIGKILL');
      kills += 1;
      await sent;
      // A refresh that was not stored is sent again, as a user would.
      await retryUntilAvailable('a refresh', async () =>
        (await world.refresh(created)).status === 200 ? true : undefined,
      );
      await settled();
      await complete(created, { before: seenOf(before), after: seenOf(after), members: codesOf(after) });
      await count(reader);
      [before, after] = [after, before];
    }
    expect(await world.remains()).toEqual(NOTHING);
  });

  it('at least 20 processes were killed', () => {
    expect(kills).toBeGreaterThanOrEqual(20);
  });
});
