import { setTimeout as pause } from 'node:timers/promises';
import { aimEmbeddings, buildEmbeddings, type EmbeddingState, embeddingState } from '@acervo/contracts';
import { type Calls, retryUntilAvailable } from '@acervo/platform-calls';
import type { Print } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

const EVERY_MS = 1_000;
/** Progress is printed this often, while there is some. */
const PRINT_EVERY_MS = 5_000;

export interface Following {
  readonly calls: Calls;
  /** The groups that change; each of them switches by itself. */
  readonly scopes: readonly WorkScope[];
  /** The embedder in use, as users know it; `runs`: whether it is available at this start. */
  readonly name: string;
  readonly runs: boolean;
  /** Whether an earlier line said that the change is not finished; its end is then printed even if it is over already. */
  readonly announced?: boolean;
  readonly print: Print;
  /** Gives up when no further document gets ready for so long; undefined: never. */
  readonly patienceMs?: number;
  stopped(): boolean;
}

interface Changing {
  readonly scope: WorkScope;
  state: EmbeddingState;
}

/** How many documents of all these groups are ready. */
const readiness = (changing: readonly Changing[]): { readonly built: number; readonly documents: number } => {
  const sum = (count: (state: EmbeddingState) => number): number =>
    changing.reduce((total, { state }) => total + count(state), 0);
  return { built: sum((state) => state.built), documents: sum((state) => state.documents) };
};

const line = (name: string, changing: readonly Changing[]): string => {
  const { built, documents } = readiness(changing);
  return `Changing to the embedder ${name}: ${built} of ${documents} documents are ready; searches use the one before until all are.`;
};

/** Starts the switch of every group. Answers the groups that are not searched with the embedder in use yet. */
const begin = async ({ calls, scopes, print, stopped }: Following): Promise<Changing[]> => {
  const changing: Changing[] = [];
  let late = 0;
  for (const scope of scopes) {
    const state = await retryUntilAvailable(() => calls.send(aimEmbeddings, scope, {}), { stopped });
    const { documents } = await retryUntilAvailable(() => calls.send(buildEmbeddings, scope, {}), { stopped });
    if (state.settled) late += documents;
    else changing.push({ scope, state });
  }
  if (late > 0) print(`${late} documents get their vectors now.`);
  return changing;
};

/**
 * Gives every document of every group vectors of the embedder in use, and prints the progress. Answers whether all
 * groups are searched with it.
 * It answers false when the program stops or the patience ends before that.
 */
export const followSwitch = async (following: Following): Promise<boolean> => {
  const { calls, name, runs, announced = false, print, patienceMs = Infinity, stopped } = following;
  const changing = await begin(following);
  const isOver = (): boolean => changing.every(({ state }) => state.settled);
  const end = `Searches use the embedder ${name} from now on.`;
  if (isOver() && announced) print(end);
  if (isOver() || !runs) return isOver();
  let [printed, printedAt, ready, readyAt] = ['', 0, -1, 0];
  while (!stopped()) {
    for (const each of changing)
      if (!each.state.settled) each.state = await calls.send(embeddingState, each.scope, {}).catch(() => each.state);
    if (isOver()) {
      print(end);
      return true;
    }
    const now = line(name, changing);
    if (now !== printed && Date.now() - printedAt >= PRINT_EVERY_MS) {
      print(now);
      [printed, printedAt] = [now, Date.now()];
    }
    const { built } = readiness(changing);
    if (built !== ready) [ready, readyAt] = [built, Date.now()];
    if (Date.now() - readyAt > patienceMs) return false;
    await pause(EVERY_MS);
  }
  return false;
};
