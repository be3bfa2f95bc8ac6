import { type Calls, Cursors } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { Peppers } from '../keys/key-hash';
import { parameterDefinitions } from '../parameters/definitions';
import { ParameterStore } from '../parameters/parameter.store';
import { ParametersCalls } from '../parameters/parameters.calls';
import { Seal } from '../tokens/seal';
import { AreaLocationStore } from './area-location.store';
import { AreaLocationsCalls } from './area-locations.calls';
import { AreasCalls } from './areas.calls';
import { DeletedFoldersConsumer } from './deleted-folders.consumer';
import { EntitiesCalls } from './entities.calls';
import { Folders } from './folders';
import { GroupCalls } from './group.calls';
import { ProfileCalls } from './profile.calls';
import { VisibleAreasCalls } from './visible-areas.calls';

export interface OrganisationParts {
  readonly database: Database;
  readonly calls: Calls;
  readonly peppers: Peppers;
}

/** What answers the calls about the group, its entities, their areas, and parameters. */
export const organisationProviders = ({ database, calls, peppers }: OrganisationParts): readonly object[] => {
  const folders = new Folders(calls);
  const cursors = new Cursors(peppers);
  return [
    new EntitiesCalls(database, folders, cursors),
    new AreasCalls(database, folders, cursors),
    new AreaLocationsCalls(database, folders, cursors),
    new DeletedFoldersConsumer(new AreaLocationStore()),
    new VisibleAreasCalls(database, cursors),
    new GroupCalls(),
    new ProfileCalls(database),
    new ParametersCalls(database, new ParameterStore(new Seal(peppers, 'parameter')), parameterDefinitions),
  ];
};
