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

export const mailOutboxMigrations: readonly MigrationClass[] = [
  sqlMigration('AuthMailOutbox1795600000100', mailOutbox),
];

export const mailSharedTables = ['mail_outbox'] as const;
