import { Database } from '@acervo/platform-database';

/** The database under the only role that finds people and groups by code, before their group is known. */
export class DirectoryDatabase extends Database {}

/** The database under the only role that changes what belongs to all groups: global roles, functions, applications. */
export class CatalogueDatabase extends Database {}

/** Connections of both roles together, at most. */
export const CROSS_GROUP_CONNECTIONS = 4;
