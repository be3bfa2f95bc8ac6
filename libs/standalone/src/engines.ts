import type { DataDirectory } from './data-directory';
import { type Engines, openEmbeddedEngines } from './embedded-engines';
import { isGiven, openGivenEngines, placeOf } from './given-engines';
import type { Say } from './intake';
import { EMBEDDED } from './layout';
import { LogKeeper } from './log-keeper';
import type { Opened } from './opened';
import type { StartEnvironment } from './options';

/**
 * Starts the engines of an installation, or reaches those that are given, and looks after the log of all.
 * @throws DataDirectoryUnusable when its database lives elsewhere
 */
export const openEngines = async (
  directory: DataDirectory,
  { environment, say }: { readonly environment: StartEnvironment; readonly say: Say },
  opened: Opened,
): Promise<Engines> => {
  directory.assertDatabaseAt(isGiven(environment) ? placeOf(environment) : EMBEDDED);
  const engines = isGiven(environment)
    ? await openGivenEngines(directory, environment, opened)
    : await openEmbeddedEngines(directory, { environment, say }, opened);
  // The directory is held by nobody else from here on.
  const keeper = new LogKeeper({ file: directory.log, logger: engines.logger });
  keeper.start();
  opened.add(() => keeper.stop());
  return engines;
};
