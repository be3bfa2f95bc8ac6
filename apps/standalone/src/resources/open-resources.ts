import type { DataDirectory } from './data-directory';
import { type Resources, openEmbeddedResources } from './embedded-resources';
import { isExternal, openExternalResources, placeOf } from './external-resources';
import type { Print } from '../folders/ingest-folder';
import { EMBEDDED } from './layout';
import { LogKeeper } from './log-keeper';
import type { Opened } from '../supervisor/opened';
import type { StartEnvironment } from '../commands/options';

/**
 * Starts the embedded engines or connects to external ones, and starts the log keeper.
 * @throws DataDirectoryUnusable if its database is elsewhere
 */
export const openResources = async (
  directory: DataDirectory,
  { environment, print }: { readonly environment: StartEnvironment; readonly print: Print },
  opened: Opened,
): Promise<Resources> => {
  directory.assertDatabaseAt(isExternal(environment) ? placeOf(environment) : EMBEDDED);
  const resources = isExternal(environment)
    ? await openExternalResources(directory, environment, opened)
    : await openEmbeddedResources(directory, { environment, print }, opened);
  // From here on, this process has locked the directory.
  const keeper = new LogKeeper({ file: directory.log, logger: resources.logger });
  keeper.start();
  opened.add(() => keeper.stop());
  return resources;
};
