import type { Type } from '@nestjs/common';
import type { Database } from '@acervo/platform-database';
import { UserEntitiesCalls } from '../entities/user-entities.calls';
import { EdgesCalls } from '../functions/edges.calls';
import { FunctionPartsCalls } from '../functions/function-parts.calls';
import { FunctionsCalls } from '../functions/functions.calls';
import { FunctionsController } from '../functions/functions.controller';
import { RoleChanges } from '../roles/role-changes';
import { RoleOrderCalls } from '../roles/role-order.calls';
import { RolePartsCalls } from '../roles/role-parts.calls';
import { RolePartsController } from '../roles/role-parts.controller';
import { RolesCalls } from '../roles/roles.calls';
import { RolesController } from '../roles/roles.controller';
import { Directory } from './directory';
import { DirectoryCalls } from './directory.calls';
import type { FirstPasswords, Invitations } from './invitations';
import { SystemUserCalls } from './system-user.calls';
import { UserAccessCalls } from './user-access.calls';
import { UserAccessController } from './user-access.controller';
import { UsersCalls } from './users.calls';
import { UsersController } from './users.controller';

export interface PeopleParts {
  readonly database: Database;
  /** The login that finds people and groups by code across groups. */
  readonly directory: Database;
  /** The login that changes what belongs to all groups. */
  readonly catalogue: Database;
  readonly invitations: Invitations;
  readonly passwords: FirstPasswords;
}

/** What answers the calls about users, roles and functions. */
export const peopleProviders = (parts: PeopleParts): readonly object[] => {
  const { database, catalogue } = parts;
  const directory = new Directory(parts.directory);
  const changes = new RoleChanges(catalogue);
  return [
    new UsersCalls({ ...parts, directory }),
    new DirectoryCalls(directory),
    new SystemUserCalls(),
    new UserAccessCalls(database, directory),
    new UserEntitiesCalls(database, directory),
    new RolesCalls({ database, catalogue, directory, changes }),
    new RoleOrderCalls(catalogue),
    new RolePartsCalls(database, changes),
    new FunctionsCalls(database, catalogue, directory),
    new EdgesCalls(database, catalogue),
    new FunctionPartsCalls({ database, catalogue, changes }),
  ];
};

/** The routes that present them. */
export const peopleControllers: readonly Type[] = [
  UsersController,
  UserAccessController,
  RolesController,
  RolePartsController,
  FunctionsController,
];
