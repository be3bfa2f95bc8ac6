import { CATALOGUE_ROLE, type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** Which operations functions use, as of the last update of their edges; null before the first one. */
const edges = `
alter table auth.global_function add column edges_at timestamptz;
create table auth.global_function_api (function_code text not null references auth.global_function on delete cascade,
  api_code text not null, primary key (function_code, api_code));
grant select on auth.global_function_api to auth_app;
grant select, insert, delete on auth.global_function_api to ${CATALOGUE_ROLE};
`;

export const functionEdgeMigrations: readonly MigrationClass[] = [
  sqlMigration('AuthFunctionEdges1760001100000', edges),
];
