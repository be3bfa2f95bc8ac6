import { foldAddress, transferredPeople } from '@acervo/contracts';
import type { Row, TransferTable } from '@acervo/platform-database';
import { isPresent } from '../kernel/account-state';

/** The key columns of each table within its group. */
const keys: Readonly<Record<(typeof transferredPeople)[number], readonly string[]>> = {
  tenant_group: ['group_id'],
  counter: ['name'],
  entity: ['code'],
  group_parameter: ['code'],
  area: ['code'],
  area_location: ['area_code', 'location_code'],
  app_user: ['user_id'],
  group_role: ['role_id'],
  group_role_function: ['role_id', 'function_code'],
  group_role_application: ['role_id', 'application_code'],
  user_role: ['user_id', 'role_id'],
  user_entity: ['user_id', 'entity_code'],
  password: ['user_id'],
  factor: ['factor_id'],
  api_key: ['key_id'],
};

/** The tables of a group that are transferred. An account in deletion stays behind. */
export const peopleTables: readonly TransferTable[] = transferredPeople.map((name) => ({
  name,
  key: keys[name],
  ...(name === 'app_user' ? { only: isPresent('t') } : {}),
}));

/** A user as this version stores it: an earlier one folded addresses differently and confirmed each that signed in. */
const storedUser = (row: Row): Row => ({
  address_confirmed: row['state'] !== 'PENDIENTE',
  ...row,
  email: foldAddress(String(row['email'])),
});

export const storedForm = (table: string, rows: readonly Row[]): readonly Row[] =>
  table === 'app_user' ? rows.map(storedUser) : rows;

/**
 * Tables that are not transferred. Open logins, queued mails and requested codes end with an installation; triggers
 * fill the directories; pages are those of an export itself.
 */
export const leftBehind = [
  'session',
  'refresh_token',
  'action_token',
  'challenge',
  'user_deletion',
  'group_directory',
  'login_directory',
  'task',
  'export_page',
] as const;
