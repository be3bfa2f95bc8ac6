import { Embedders } from '@acervo/models';
import { forEachGroup, type Wish, WishFailed } from '@acervo/platform-service';
import type { IngestionConfig } from '../ingestion.config';
import { compareNow } from './agreement';
import { embedAnew } from './embed-anew';
import { rebuild } from './rebuild';
import { retryFailedIn } from './retry-failed';
import { linesOn } from './screen';

const retry: Wish<IngestionConfig> = {
  name: 'retry-failed',
  about: 'work on the documents again that failed',
  ofGroups: true,
  carryOut: (parts) => forEachGroup(parts, (scope, say) => retryFailedIn(parts.calls, scope, say)),
};

const rebuilding: Wish<IngestionConfig> = {
  name: 'rebuild',
  about: 'derive the indexes again from the objects that are kept; searches go on',
  ofGroups: true,
  carryOut: (parts) =>
    forEachGroup(parts, async (scope, say) => {
      const screen = linesOn(say, ({ done, total }) => `${done} of ${total} documents are in the new indexes.`);
      if (!(await rebuild({ calls: parts.calls, scope, screen, stopped: () => false })))
        throw new WishFailed('Not everything was made anew; put right what stands above and ask again.');
    }),
};

const embedding: Wish<IngestionConfig> = {
  name: 'embed-anew',
  about: 'make the vectors of the embedder that the environment names; searches use those before until all are there',
  ofGroups: true,
  carryOut: (parts) => {
    const { calls, config } = parts;
    const embedders = Embedders.from(config);
    return forEachGroup(parts, (scope, say) => embedAnew({ calls, scope, say, name: config.embedder, embedders }));
  },
};

const comparing: Wish<IngestionConfig> = {
  name: 'compare',
  about: 'compare what the stores hold of each document now, and put right what differs',
  ofGroups: true,
  carryOut: (parts) => forEachGroup(parts, (scope, say) => compareNow({ calls: parts.calls, scope, say })),
};

/** What the operator of a deployment asks of ingestion. */
export const ingestionWishes: readonly Wish<IngestionConfig>[] = [retry, rebuilding, embedding, comparing];
