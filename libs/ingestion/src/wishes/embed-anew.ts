import { embeddingState } from '@acervo/contracts';
import { type Embedders, sameSpace } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import { type Say, WishFailed } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';
import { followSwitch } from './embedder-switch';

/** Nothing got ready for so long: those who would do it are not there, or know another embedder. */
const PATIENCE_MS = 180_000;

export interface EmbeddingAnew {
  readonly calls: Calls;
  readonly scope: WorkScope;
  readonly say: Say;
  readonly name: string;
  readonly embedders: Pick<Embedders, 'target' | 'targetRuns'>;
  readonly patienceMs?: number;
}

/**
 * Brings a group to the embedder of the environment, which the services that run have as well, and waits until it is
 * searched with. Asked again it goes on where it was. @throws WishFailed where that comes to nothing
 */
export const embedAnew = async (parts: EmbeddingAnew): Promise<void> => {
  const { calls, scope, say, name, embedders, patienceMs = PATIENCE_MS } = parts;
  if (!embedders.targetRuns) throw new WishFailed(`The embedder ${name} has no address; set ACERVO_EMBEDDER_URL.`);
  const { live, settled } = await calls.send(embeddingState, scope, {});
  const [searched] = live;
  if (searched === undefined) return say('There are no documents yet.');
  if (settled && !sameSpace(searched, embedders.target.space))
    throw new WishFailed(
      `Retrieval runs with the embedder of ${searched.model}: start it and ingestion anew with the ACERVO_EMBEDDER variables of this program, then ask again.`,
    );
  const following = { calls, scope, say, name, runs: true, patienceMs, stopped: () => false };
  if (!(await followSwitch(following)))
    throw new WishFailed(
      'No document got ready for a while. See that the embedder answers and that ingestion and retrieval run with the ACERVO_EMBEDDER variables of this program; what is done is kept, so ask again.',
    );
  say(`Every document is searched with the embedder ${name}.`);
};
