import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** The area that a session looks at, beside its entity; keys have had both from the beginning. */
const focus = `alter table auth.session add column active_area text;`;

export const focusMigrations: readonly MigrationClass[] = [sqlMigration('AuthFocus1760000150000', focus)];
