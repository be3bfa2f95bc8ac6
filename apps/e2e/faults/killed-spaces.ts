import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { lives } from '../harness/processes';
import { temporary, write } from '../harness/program';
import { retryUntilAvailable, until } from '../harness/waiting';
import { type Change, SetReader } from './set-reader';
import { codesOf, seenOf, type Span, SpaceWorld } from './space-world';

/** Where processes die, life after life of retrieval: `space.NAME` or `space.NAME:n` for the n-th passage of a life. */
export interface Deaths {
  readonly create: readonly string[];
  readonly refresh: readonly string[];
  readonly compose: readonly string[];
  readonly refreshComposed: readonly string[];
  /** Milliseconds from a refresh to a kill of the database, for each kill. */
  readonly database: readonly number[];
}

/** Places at which the new set is what is read. */
const FLIPPED = /^space\.(?:flipped|purge)/;

const [FIRST, LATER, SMALL, MOVED]: readonly [Span, Span, Span, Span] = [
  { from: 0, to: 1_200 },
  { from: 200, to: 1_400 },
  { from: 1_300, to: 1_600 },
  { from: 1_300, to: 1_500 },
];
const NOTHING = { members: 0, tasks: 0 };

/** Kills processes within changes of sets: what is read is always the set before a change or the one after it. */
export const spacesSurvive = (deaths: Deaths): void => {
  const chains = [deaths.create, deaths.refresh, deaths.compose, deaths.refreshComposed];
  const place = temporary();
  let installation: Installation;
  let world: SpaceWorld;
  /** Places where processes died. */
  const died: string[] = [];
  const answers = { before: 0, after: 0, unavailable: 0 };

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'nota.txt': 'Una nota.' });
    const failpoints = chains.flat().map((name) => `retrieval/${name}`);
    const environment = { ACERVO_FAILPOINT: failpoints.join(';'), ACERVO_RECONCILE_SETTLE_SECONDS: '3600' };
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
      `spaces: ${died.length} kills; ${before} answers with the set before, ${after} with the set after, ${unavailable} without an answer\n`,
    );
  });

  const processId = (): Promise<number> =>
    retryUntilAvailable('a process of retrieval', () => installation.processesOf('retrieval')[0], 30_000);
  /** Lets the task of a dead process be claimed again at once. */
  const release = async (): Promise<void> => {
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
      const dying = pid;
      const isDead = async (): Promise<boolean> => {
        // A deletion is delayed, and the delay begins within this life.
        await world.hasten();
        return !lives(dying);
      };
      await until(`the death of retrieval at ${name}`, isDead, 40_000);
      died.push(name);
      const members = FLIPPED.test(name) ? change.members : change.old;
      expect({ name, members: await world.members(spaceId) }).toEqual({ name, members });
      await release();
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
      deaths.create,
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
      deaths.refresh,
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
    composed = await survives(deaths.compose, change, send, () => world.numberOf(name));
  });

  it('a composed set that is refreshed is the old one or the new one', async () => {
    await world.assign(LATER, MOVED);
    expect((await world.refresh(await world.numberOf('Otro'))).status).toBe(200);
    const change = {
      ...{ before: seenOf(LATER, SMALL), after: seenOf(LATER, MOVED) },
      ...{ old: codesOf(LATER, SMALL), members: codesOf(LATER, MOVED) },
    };
    await survives(
      deaths.refreshComposed,
      change,
      () => world.refresh(composed),
      () => Promise.resolve(composed),
    );
  });

  it('a killed database leaves the old set or the new one', async () => {
    let [before, after] = [LATER, FIRST];
    for (const afterMs of deaths.database) {
      await world.assign(after, MOVED);
      const reader = new SetReader(() => world.read(created), { before: seenOf(before), after: seenOf(after) });
      const sent = world.refresh(created).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      for (const pid of installation.processesOf('database')) process.kill(pid, 'SIGKILL');
      died.push('database');
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

  it('a process died at each place', () => {
    expect(died).toEqual([...chains.flat(), ...deaths.database.map(() => 'database')]);
  });
};
