import type { DataDirectory } from './data-directory';
import { openEmbeddedResources, type Resources, type ResourcesRequest } from './embedded-resources';
import { openExternalResources } from './external-resources';
import { LogKeeper } from './log-keeper';
import type { Opened } from '../kernel/opened';
import { isExternal } from '../kernel/options';

/**
 * Starts the embedded engines or connects to external ones, and starts the log keeper.
 * @throws DataDirectoryUnusable if its database is not on the server that the environment names
 */
export const openResources = async (
  directory: DataDirectory,
  start: ResourcesRequest,
  opened: Opened,
): Promise<Resources> => {
  const { environment } = start;
  const resources = isExternal(environment)
    ? await openExternalResources(directory, environment, opened)
    : await openEmbeddedResources(directory, start, opened);
  // From here on, this process has locked the directory.
  const keeper = new LogKeeper({ file: directory.log, logger: resources.logger });
  keeper.start();
  opened.add(() => keeper.stop());
  return resources;
};
