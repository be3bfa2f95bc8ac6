import { setTimeout as pause } from 'node:timers/promises';
import { embeddingState, EngineDown, rebuildCopies, rebuildIndexes, rebuildState } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import { Pace } from './figures';
import type { Screen } from './screen';

const EVERY_MS = 500;
/** Gives up when no work waits and no document arrives for so long: missing documents do not arrive any longer. */
const PATIENCE_MS = 15_000;

export interface Rebuilding {
  readonly calls: Calls;
  readonly scope: WorkScope;
  readonly screen: Screen;
  stopped(): boolean;
}

/** How many documents are in the indexes, and whether a new OpenSearch index is not searched yet. */
interface Followed {
  readonly seen: number;
  readonly isUnfinished: boolean;
}

/** Waits until all documents of a rebuild are in the indexes, or no further ones arrive. */
const follow = async (
  { calls, scope, screen, stopped }: Rebuilding,
  { documents, since }: { readonly documents: number; readonly since: string },
  copies: boolean,
): Promise<Followed> => {
  const pace = new Pace();
  let [seen, seenAt, isFilling, isUnfinished] = [0, performance.now(), copies, copies];
  try {
    while ((seen < documents || isFilling) && !stopped()) {
      const state = await calls.send(rebuildState, scope, { since }).catch(() => undefined);
      const now = performance.now();
      if (state !== undefined) {
        ({ isFilling, isUnfinished } = state);
        if (state.rebuilt > seen || state.waiting > 0 || isFilling) seenAt = now;
        seen = Math.min(state.rebuilt, documents);
        pace.note(now, seen);
        const { perSecond } = pace;
        const secondsLeft = perSecond === null ? null : Math.ceil((documents - seen) / perSecond);
        const states = [{ name: 'in the new indexes', documents: seen }];
        screen.show({
          total: documents,
          done: seen,
          searchable: documents,
          byMeaning: documents,
          chunks: null,
          states,
          perSecond,
          secondsLeft,
        });
      }
      if (now - seenAt > PATIENCE_MS) break;
      await pause(EVERY_MS);
    }
    return { seen, isUnfinished };
  } finally {
    screen.clear();
  }
};

/** Fills a new OpenSearch index where OpenSearch ranks words; `down` where it is unreachable. */
const planCopies = async ({ calls, scope, screen }: Rebuilding): Promise<'planned' | 'none' | 'down'> => {
  try {
    return (await calls.send(rebuildCopies, scope, {})).isPlanned ? 'planned' : 'none';
  } catch (error) {
    if (!(error instanceof EngineDown)) throw error;
    screen.print(`${error.message} No new index is made there; repeat --rebuild when it answers.`);
    return 'down';
  }
};

/**
 * Derives the indexes again from the stored objects while searches continue, and prints the outcome. Answers whether
 * all of it was done.
 */
export const rebuild = async (parts: Rebuilding): Promise<boolean> => {
  const { calls, scope, screen, stopped } = parts;
  const { live, settled } = await calls.send(embeddingState, scope, {});
  if (live.length > 0 && !settled) {
    screen.print('The embedder is being changed, which makes all vectors again; repeat --rebuild after the change.');
    return false;
  }
  const copies = await planCopies(parts);
  const isPlanned = copies === 'planned';
  if (isPlanned)
    screen.print('A new index is filled in OpenSearch; the old one is searched until the new one is complete.');
  const order = await calls.send(rebuildIndexes, scope, {});
  screen.print(`The indexes of ${order.documents} documents are derived again from stored objects; searches continue.`);
  const { seen: rebuilt, isUnfinished } = await follow(parts, order, isPlanned);
  if (stopped()) return false;
  screen.print(`Rebuilt: ${rebuilt} of ${order.documents} documents.`);
  if (isPlanned)
    screen.print(
      isUnfinished
        ? '  The new index in OpenSearch is not complete yet, so the old one is searched; the log says why.'
        : '  The new index in OpenSearch is searched; the old one is deleted in a minute.',
    );
  if (rebuilt < order.documents)
    screen.print(
      '  The others were changed or deleted meanwhile, or failed: --status lists what failed, the log says why.',
    );
  return copies !== 'down' && !isUnfinished && rebuilt === order.documents;
};
