/**
 * The relations that views read, with their columns. Each is a database view restricted to the group of its reader; none
 * contains users, credentials or parameters. A test compares them with the live catalogue.
 */
export const publishedRelations: Readonly<Record<string, readonly string[]>> = {
  published_function: ['code', 'name', 'alias', 'description', 'url', 'profile', 'position'],
  published_function_operation: ['function_code', 'operation_code'],
  published_function_application: ['function_code', 'application_code', 'application_name'],
  published_function_role: ['function_code', 'role_id', 'role_code', 'role_name'],
  published_entity: ['code', 'name'],
  published_area: ['code', 'entity_code', 'parent_code', 'name'],
};

/** The schema that a statement names: without it the search path would decide what is read. */
export const PUBLISHED_SCHEMA = 'auth';

export const columnsOf = (relation: string): readonly string[] | undefined =>
  Object.hasOwn(publishedRelations, relation) ? publishedRelations[relation] : undefined;
