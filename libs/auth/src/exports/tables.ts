import type { TransferTable } from '@acervo/platform-database';

/** What is carried of a group, in an order in which rows find those that they refer to. */
export const peopleTables: readonly TransferTable[] = [
  { name: 'tenant_group', key: ['group_id'] },
  { name: 'counter', key: ['name'] },
  { name: 'entity', key: ['code'] },
  { name: 'area', key: ['code'] },
  { name: 'area_location', key: ['area_code', 'location_code'] },
  { name: 'app_user', key: ['user_id'] },
  { name: 'group_role', key: ['role_id'] },
  { name: 'group_role_function', key: ['role_id', 'function_code'] },
  { name: 'group_role_application', key: ['role_id', 'application_code'] },
  { name: 'user_role', key: ['user_id', 'role_id'] },
  { name: 'user_entity', key: ['user_id', 'entity_code'] },
  { name: 'password', key: ['user_id'] },
  { name: 'factor', key: ['factor_id'] },
  { name: 'api_key', key: ['key_id'] },
];

/**
 * What is left behind: logins that are open, letters under way and codes that were asked for end with an installation;
 * the directories are kept by triggers.
 */
export const leftBehind = [
  ...['session', 'refresh_token', 'action_token', 'challenge'],
  ...['group_directory', 'login_directory', 'task'],
] as const;
