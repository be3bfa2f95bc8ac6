import type { DataDirectory } from './data-directory';
import { openEmbeddedResources, type Resources, type ResourcesRequest } from './embedded-resources';
import { openExternalResources, placeOf } from './external-resources';
import { EMBEDDED } from './layout';
import { LogKeeper } from './log-keeper';
import type { Opened } from '../supervisor/opened';
import { isExternal } from '../commands/options';

/**
 * Starts the embedded engines or connects to external ones, and starts the log keeper.
 * @throws DataDirectoryUnusable if its database is elsewhere
 */
export const openResources = async (
  directory: DataDirectory,
  start: ResourcesRequest,
  opened: Opened,
): Promise<Resources> => {
  const { environment } = start;
  directory.assertDatabaseAt(isExternal(environment) ? placeOf(environment) : EMBEDDED);
  const resources = isExternal(environment)
    ? await openExternalResources(directory, environment, opened)
    : await openEmbeddedResources(directory, start, opened);
  // From here on, this process has locked the directory.
  const keeper = new LogKeeper({ file: directory.log, logger: resources.logger });
  keeper.start();
  opened.add(() => keeper.stop());
  return resources;
};
