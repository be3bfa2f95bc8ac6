import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/**
 * Mails to send. They belong to no group: a registration has none yet. A row names the mail and its recipient, never
 * its link: the token of the link is issued when the mail is written.
 */
const mailOutbox = `
create table auth.mail_outbox (mail_id uuid primary key default uuidv7(),
  kind text not null check (kind in ('REGISTRO', 'REENVIO', 'INVITACION', 'RECUPERACION')),
  email text not null, name text, group_name text, attempts int not null default 0, lease uuid, leased_until timestamptz,
  not_before timestamptz not null default now(), created_at timestamptz not null default now());
create index mail_outbox_due on auth.mail_outbox (not_before);
grant select, insert, update, delete on auth.mail_outbox to auth_app;
`;

/** Senders take turns: the next one with a due mail is found without reading the mails of the others. */
const mailTurns = `create index mail_outbox_turn on auth.mail_outbox ((coalesce(invited_to::text, kind)), not_before);`;

export const mailTurnMigrations: readonly MigrationClass[] = [
  sqlMigration('AuthMailTurns1799500000100', mailTurns, { kind: 'expand' }),
];

export const mailOutboxMigrations: readonly MigrationClass[] = [
  sqlMigration('AuthMailOutbox1795600000100', mailOutbox),
];

export const mailSharedTables = ['mail_outbox'] as const;
