import { Embedders } from '@acervo/models';
import { EmbeddingConfig, forEachGroup, type AdminCommand, AdminCommandFailed } from '@acervo/platform-service';
import { compareNow } from './agreement';
import { embedAnew } from './embed-again';
import { rebuild } from './rebuild';
import { retryFailedIn } from './retry-failed';
import { linesOn } from './screen';

const retry: AdminCommand = {
  name: 'retry-failed',
  about: 'work on the documents again that failed',
  ofGroups: true,
  execute: (parts) => forEachGroup(parts, (scope, print) => retryFailedIn(parts.calls, scope, print)),
};

const rebuilding: AdminCommand = {
  name: 'rebuild',
  about: 'derive the indexes again from the objects that are kept; searches go on',
  ofGroups: true,
  execute: (parts) =>
    forEachGroup(parts, async (scope, print) => {
      const screen = linesOn(print, ({ done, total }) => `${done} of ${total} documents are in the new indexes.`);
      if (!(await rebuild({ calls: parts.calls, scope, screen, stopped: () => false })))
        throw new AdminCommandFailed('Not everything was made anew; put right what stands above and ask again.');
    }),
};

const embedding: AdminCommand = {
  name: 'embed-anew',
  about: 'make the vectors of the embedder that the environment names; searches use those before until all are there',
  ofGroups: true,
  execute: (parts) => {
    const { calls } = parts;
    const config = parts.config(EmbeddingConfig);
    const embedders = Embedders.from(config);
    return forEachGroup(parts, (scope, print) => embedAnew({ calls, scope, print, name: config.embedder, embedders }));
  },
};

const comparing: AdminCommand = {
  name: 'compare',
  about: 'compare what the stores hold of each document now, and put right what differs',
  ofGroups: true,
  execute: (parts) => forEachGroup(parts, (scope, print) => compareNow({ calls: parts.calls, scope, print })),
};

/** The admin commands of ingestion. */
export const ingestionAdminCommands: readonly AdminCommand[] = [retry, rebuilding, embedding, comparing];
