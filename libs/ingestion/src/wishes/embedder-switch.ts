import { setTimeout as pause } from 'node:timers/promises';
import { aimEmbeddings, buildEmbeddings, type EmbeddingState, embeddingState } from '@acervo/contracts';
import { type Calls, persistently } from '@acervo/platform-calls';
import type { Say } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

const EVERY_MS = 1_000;
/** Progress is said this often, while there is some. */
const SAY_EVERY_MS = 5_000;

export interface Following {
  readonly calls: Calls;
  readonly scope: WorkScope;
  /** The embedder in use, as a person knows it, and whether it can be asked at this start. */
  readonly name: string;
  readonly runs: boolean;
  readonly say: Say;
  /** Gives up when so long no further document got ready; never, unless it is given. */
  readonly patienceMs?: number;
  stopped(): boolean;
}

const line = (name: string, { documents, built }: EmbeddingState): string =>
  `Changing to the embedder ${name}: ${built} of ${documents} documents are ready; searches use the one before until all are.`;

/**
 * Sees to it that every document gets vectors of the embedder in use, and says how far that is. Answers whether the
 * group is searched with it: false when this program stops or loses its patience before that.
 */
export const followSwitch = async (following: Following): Promise<boolean> => {
  const { calls, scope, name, runs, say, patienceMs = Infinity, stopped } = following;
  let state = await persistently(() => calls.send(aimEmbeddings, scope, {}), { stopped });
  const { documents } = await persistently(() => calls.send(buildEmbeddings, scope, {}), { stopped });
  if (state.settled && documents > 0) say(`${documents} documents get their vectors now.`);
  if (state.settled || !runs) return state.settled;
  let [said, saidAt, built, builtAt] = ['', 0, -1, 0];
  while (!stopped()) {
    state = await calls.send(embeddingState, scope, {}).catch(() => state);
    if (state.settled) {
      say(`Searches use the embedder ${name} from now on.`);
      return true;
    }
    const now = line(name, state);
    if (now !== said && Date.now() - saidAt >= SAY_EVERY_MS) {
      say(now);
      [said, saidAt] = [now, Date.now()];
    }
    if (state.built !== built) [built, builtAt] = [state.built, Date.now()];
    if (Date.now() - builtAt > patienceMs) return false;
    await pause(EVERY_MS);
  }
  return false;
};
