import { Embedders } from '@acervo/models';
import { compareNow, linesOn, rebuild } from '@acervo/platform-admin';
import { type AdminCommand, adminCommand, AdminCommandFailed, EmbeddingConfig } from '@acervo/platform-service';
import { embedAgain } from './embed-again';
import { retryFailedIn } from './retry-failed';

const retryingFailed = adminCommand('retry-failed', ({ calls, groups }) =>
  groups.each((scope, print) => retryFailedIn(calls, scope, print)),
);

const rebuilding = adminCommand('rebuild', ({ calls, groups }) =>
  groups.each(async (scope, print) => {
    const screen = linesOn(print, ({ done, total }) => `${done} of ${total} documents are in the new indexes.`);
    if (!(await rebuild({ calls, scope, screen, stopped: () => false })))
      throw new AdminCommandFailed(
        'The indexes are not complete; repair what is printed above and repeat the command.',
      );
  }),
);

const embedding = adminCommand('embed-anew', ({ calls, config, groups }) => {
  const settings = config(EmbeddingConfig);
  const embedders = Embedders.from(settings);
  const { embedder: name } = settings;
  return groups.each((scope, print) => embedAgain({ calls, scope, print, name, embedders }));
});

const comparing = adminCommand('compare', ({ calls, groups }) =>
  groups.each((scope, print) => compareNow({ calls, scope, print })),
);

/** The admin commands of ingestion. */
export const ingestionAdminCommands: readonly AdminCommand[] = [retryingFailed, rebuilding, embedding, comparing];
