import { embeddingState } from '@acervo/contracts';
import { type Embedders, isSameModel } from '@acervo/models';
import { followSwitch } from '@acervo/platform-admin';
import type { Calls } from '@acervo/platform-calls';
import { type Print, AdminCommandFailed } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

/** Gives up when no document gets ready for so long: the workers are away, or are configured with another embedder. */
const PATIENCE_MS = 180_000;

export interface EmbedAgainDependencies {
  readonly calls: Calls;
  readonly scope: WorkScope;
  readonly print: Print;
  readonly name: string;
  readonly embedders: Pick<Embedders, 'target' | 'targetRuns'>;
  readonly patienceMs?: number;
}

/**
 * Switches a group to the embedder of the environment and waits until searches use it. The running services have the
 * same environment.
 * A repeated command resumes where the last one stopped. @throws AdminCommandFailed when the switch does not finish
 */
export const embedAgain = async (parts: EmbedAgainDependencies): Promise<void> => {
  const { calls, scope, print, name, embedders, patienceMs = PATIENCE_MS } = parts;
  if (!embedders.targetRuns)
    throw new AdminCommandFailed(`The embedder ${name} has no address; set ACERVO_EMBEDDER_URL.`);
  const { live, settled } = await calls.send(embeddingState, scope, {});
  const [searched] = live;
  if (searched === undefined) return print('There are no documents yet.');
  if (settled && !isSameModel(searched, embedders.target.embeddingModel))
    throw new AdminCommandFailed(
      `Retrieval runs with the embedder of ${searched.model}: restart it and ingestion with the ACERVO_EMBEDDER variables of this program, then repeat the command.`,
    );
  const following = { calls, scopes: [scope], print, name, runs: true, patienceMs, stopped: () => false };
  if (!(await followSwitch(following)))
    throw new AdminCommandFailed(
      'No document became ready for a while. Check that the embedder answers and that ingestion and retrieval run with the ACERVO_EMBEDDER variables of this program; then repeat the command, which keeps finished work.',
    );
  print(`Every document is searched with the embedder ${name}.`);
};
