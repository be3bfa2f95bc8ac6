import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** The focused area of a session, beside its entity; keys have had both from the beginning. */
const focus = `alter table auth.session add column active_area text;`;

export const focusMigrations: readonly MigrationClass[] = [sqlMigration('AuthFocus1760000150000', focus)];
