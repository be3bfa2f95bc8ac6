import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';

const first = `
create table chat.conversation (group_id uuid not null, id uuid not null, primary key (group_id, id));
${tenantTable('chat', 'conversation')}
`;

export const chatMigrations: readonly MigrationClass[] = [sqlMigration('Chat1795675738998', first, { kind: 'expand' })];
