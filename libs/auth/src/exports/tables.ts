import { transferredPeople } from '@acervo/contracts';
import type { TransferTable } from '@acervo/platform-database';

/** The columns that name a row of each table within its group. */
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

/** What is carried of a group. */
export const peopleTables: readonly TransferTable[] = transferredPeople.map((name) => ({ name, key: keys[name] }));

/**
 * What is left behind: logins that are open, letters under way and codes that were asked for end with an installation;
 * the directories are kept by triggers.
 */
export const leftBehind = [
  ...['session', 'refresh_token', 'action_token', 'challenge'],
  ...['group_directory', 'login_directory', 'task'],
] as const;
