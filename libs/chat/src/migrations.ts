import { countersSql, RATE_TABLE } from '@acervo/platform-counters';
import { exportPagesMigration, type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';

/**
 * Conversations belong to one user. Their messages, the citations of an answer and the requests that asked for it go
 * with them. A withdrawn answer has neither text nor citations: a document that it cites was deleted.
 */
const conversations = `
create table chat.counter (group_id uuid not null, name text not null, value int not null, primary key (group_id, name));
${tenantTable('chat', 'counter', 'select, insert, update')}
create table chat.conversation (
  group_id uuid not null, conversation_id int not null, user_id uuid not null, function_code text not null,
  mode text not null check (mode in ('default', 'help')), title text not null, model text, layers jsonb not null,
  message_count int not null default 0, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), primary key (group_id, conversation_id));
create index conversation_of_user on chat.conversation (group_id, user_id, updated_at desc, conversation_id desc);
create index conversation_age on chat.conversation (group_id, updated_at);
${tenantTable('chat', 'conversation')}
create table chat.message (
  group_id uuid not null, message_id int not null, conversation_id int not null,
  author text not null check (author in ('USER', 'ASSISTANT')),
  state text not null check (state in ('DONE', 'ABSTAINED', 'STOPPED', 'ERROR', 'WITHDRAWN')),
  language text not null, text text not null, created_at timestamptz not null default now(),
  primary key (group_id, message_id),
  foreign key (group_id, conversation_id) references chat.conversation on delete cascade);
create index message_of_conversation on chat.message (group_id, conversation_id, message_id);
${tenantTable('chat', 'message')}
create table chat.citation (
  group_id uuid not null, message_id int not null, number int not null, document_code text not null,
  document_name text not null, page int, url text not null, quote text not null,
  primary key (group_id, message_id, number),
  foreign key (group_id, message_id) references chat.message on delete cascade);
create index citation_of_document on chat.citation (group_id, document_code);
${tenantTable('chat', 'citation')}
create table chat.asked_request (
  group_id uuid not null, credential_id text not null, request_key bytea not null, question_hash bytea not null,
  message_id int not null, asked_at timestamptz not null default now(),
  primary key (group_id, credential_id, request_key),
  foreign key (group_id, message_id) references chat.message on delete cascade);
create index asked_request_message on chat.asked_request (group_id, message_id);
create index asked_request_age on chat.asked_request (group_id, asked_at);
${tenantTable('chat', 'asked_request')}
${countersSql('chat')}
`;

/** A support request is of the answer that offered it, and goes with its conversation. */
const supportRequests = `
create table chat.support_request (
  group_id uuid not null, code text not null, user_id uuid not null, conversation_id int not null,
  message_id int not null, question text not null, state text not null default 'OPEN' check (state in ('OPEN', 'CLOSED')),
  created_at timestamptz not null default now(), primary key (group_id, code), unique (group_id, message_id),
  foreign key (group_id, conversation_id) references chat.conversation on delete cascade,
  foreign key (group_id, message_id) references chat.message on delete cascade);
create index support_request_of_conversation on chat.support_request (group_id, conversation_id);
${tenantTable('chat', 'support_request')}
`;

/** An answer that was under way when its user was deleted is stored later; upkeep deletes it by this row. */
const deletedUsers = `
create table chat.deleted_user (
  group_id uuid not null, user_id uuid not null, deleted_at timestamptz not null default now(),
  primary key (group_id, user_id));
${tenantTable('chat', 'deleted_user', 'select, insert, delete')}
`;

/** An answer is hidden from a user who has an operation that it cites no longer. */
const citedOperations = `
alter table chat.message add column operations text[] not null default '{}',
  add column states_records boolean not null default false;
`;

/** Tables that belong to no group. */
export const chatSharedTables = [RATE_TABLE] as const;

export const chatMigrations: readonly MigrationClass[] = [
  sqlMigration('ChatConversations1797200000010', conversations, { kind: 'expand' }),
  sqlMigration('ChatSupportRequests1797200000020', supportRequests, { kind: 'expand' }),
  exportPagesMigration('chat', 'ChatExportPages1797200000030', { kind: 'expand' }),
  sqlMigration('ChatDeletedUsers1797200000040', deletedUsers, { kind: 'expand' }),
  sqlMigration('ChatCitedOperations1797200000050', citedOperations, { kind: 'expand' }),
];
