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
  /** The groups that are to change, each of which does by itself. */
  readonly scopes: readonly WorkScope[];
  /** The embedder in use, as a person knows it, and whether it can be asked at this start. */
  readonly name: string;
  readonly runs: boolean;
  readonly say: Say;
  /** Gives up when so long no further document got ready; never, unless it is given. */
  readonly patienceMs?: number;
  stopped(): boolean;
}

interface Changing {
  readonly scope: WorkScope;
  state: EmbeddingState;
}

/** How many of the documents of all these groups are ready. */
const readiness = (changing: readonly Changing[]): { readonly built: number; readonly documents: number } => {
  const sum = (count: (state: EmbeddingState) => number): number =>
    changing.reduce((total, { state }) => total + count(state), 0);
  return { built: sum((state) => state.built), documents: sum((state) => state.documents) };
};

const line = (name: string, changing: readonly Changing[]): string => {
  const { built, documents } = readiness(changing);
  return `Changing to the embedder ${name}: ${built} of ${documents} documents are ready; searches use the one before until all are.`;
};

/** Sets the change of every group going; answers those that are not searched with the embedder in use yet. */
const begin = async ({ calls, scopes, say, stopped }: Following): Promise<Changing[]> => {
  const changing: Changing[] = [];
  let late = 0;
  for (const scope of scopes) {
    const state = await persistently(() => calls.send(aimEmbeddings, scope, {}), { stopped });
    const { documents } = await persistently(() => calls.send(buildEmbeddings, scope, {}), { stopped });
    if (state.settled) late += documents;
    else changing.push({ scope, state });
  }
  if (late > 0) say(`${late} documents get their vectors now.`);
  return changing;
};

/**
 * Sees to it that every document of every group gets vectors of the embedder in use, and says how far that is. Answers
 * whether all groups are searched with it: false when this program stops or loses its patience before that.
 */
export const followSwitch = async (following: Following): Promise<boolean> => {
  const { calls, name, runs, say, patienceMs = Infinity, stopped } = following;
  const changing = await begin(following);
  const isOver = (): boolean => changing.every(({ state }) => state.settled);
  if (isOver() || !runs) return isOver();
  let [said, saidAt, ready, readyAt] = ['', 0, -1, 0];
  while (!stopped()) {
    for (const each of changing)
      if (!each.state.settled) each.state = await calls.send(embeddingState, each.scope, {}).catch(() => each.state);
    if (isOver()) {
      say(`Searches use the embedder ${name} from now on.`);
      return true;
    }
    const now = line(name, changing);
    if (now !== said && Date.now() - saidAt >= SAY_EVERY_MS) {
      say(now);
      [said, saidAt] = [now, Date.now()];
    }
    const { built } = readiness(changing);
    if (built !== ready) [ready, readyAt] = [built, Date.now()];
    if (Date.now() - readyAt > patienceMs) return false;
    await pause(EVERY_MS);
  }
  return false;
};
