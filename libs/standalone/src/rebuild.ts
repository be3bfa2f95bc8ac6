import { setTimeout as pause } from 'node:timers/promises';
import { embeddingState, rebuildIndexes, rebuildState } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import { Pace } from './progress/figures';
import type { Screen } from './progress/screen';

const EVERY_MS = 500;
/** Nothing waits and nothing came for so long: what is missing does not come any more. */
const PATIENCE_MS = 15_000;

export interface Rebuilding {
  readonly calls: Calls;
  readonly scope: WorkScope;
  readonly screen: Screen;
  stopped(): boolean;
}

/** Waits until all documents of a rebuild are in the indexes, or come no more; answers how many are. */
const follow = async (
  { calls, scope, screen, stopped }: Rebuilding,
  { documents, since }: { readonly documents: number; readonly since: string },
): Promise<number> => {
  const pace = new Pace();
  let [seen, seenAt] = [0, performance.now()];
  try {
    while (seen < documents && !stopped()) {
      const state = await calls.send(rebuildState, scope, { since }).catch(() => undefined);
      const now = performance.now();
      if (state !== undefined) {
        if (state.rebuilt > seen || state.waiting > 0) seenAt = now;
        seen = Math.min(state.rebuilt, documents);
        pace.note(now, seen);
        const { perSecond } = pace;
        const secondsLeft = perSecond === null ? null : Math.ceil((documents - seen) / perSecond);
        const states = [{ name: 'in the new indexes', documents: seen }];
        screen.show({
          total: documents,
          done: seen,
          searchable: documents,
          chunks: null,
          states,
          perSecond,
          secondsLeft,
        });
      }
      if (now - seenAt > PATIENCE_MS) break;
      await pause(EVERY_MS);
    }
    return seen;
  } finally {
    screen.clear();
  }
};

/** Derives the indexes again from the objects that are kept, while searches go on, and says how that went. */
export const rebuild = async (parts: Rebuilding): Promise<void> => {
  const { calls, scope, screen, stopped } = parts;
  const { live, settled } = await calls.send(embeddingState, scope, {});
  if (live.length > 0 && !settled)
    return screen.say(
      'The embedder is being changed, which makes the vectors anew; ask for --rebuild when that is over.',
    );
  const order = await calls.send(rebuildIndexes, scope, {});
  screen.say(`The indexes of ${order.documents} documents are derived again from what is kept; searches go on.`);
  const rebuilt = await follow(parts, order);
  if (stopped()) return;
  screen.say(`Rebuilt: ${rebuilt} of ${order.documents} documents.`);
  if (rebuilt < order.documents)
    screen.say(
      '  Those left were changed or deleted meanwhile, or failed: --status lists what failed, the log says why.',
    );
};
