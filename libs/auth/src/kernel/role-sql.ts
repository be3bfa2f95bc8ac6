import { profile } from '@acervo/public-mapping';

/** Access levels in SQL, lowest first. */
const LEVELS = `array[${profile.internalCodes.map((code) => `'${code}'`).join(', ')}]`;

const levelOf = (column: string): string => `array_position(${LEVELS}, ${column})`;

/** Whether a group sees a row of a list that contains global rows and rows of groups. */
export const seenBy = (group: string, row: string): string => `(${row}.group_id is null or ${row}.group_id = ${group})`;

/** Screens of a role, without those above the level of the role. */
const screensOf = (group: string, row: string): string => `
  from auth.role_function_list f join auth.global_function screen on screen.code = f.function_code
  where f.role_id = ${row}.role_id and ${seenBy(group, 'f')} and ${levelOf('screen.profile')} <= ${levelOf(`${row}.profile`)}`;

/** The screens of a role, in order. */
export const functionsOf = (group: string, row: string): string => `
  coalesce((select array_agg(f.function_code order by f.function_code) ${screensOf(group, row)}), '{}')`;

/** The roles of an active user. */
const rolesOfUser = (group: string, user: string): string => `
  auth.user_role cu
  join auth.role_list held on held.role_id = cu.role_id and ${seenBy('cu.group_id', 'held')}
  join auth.app_user c on c.group_id = cu.group_id and c.user_id = cu.user_id and c.state = 'ACTIVO'
  where cu.group_id = ${group} and cu.user_id = ${user}`;

/** The highest level of an active user; null for a deleted or disabled one. */
export const highestLevel = (group: string, user: string): string => `
  (select held.profile from ${rolesOfUser(group, user)} order by ${levelOf('held.profile')} desc limit 1)`;

/** The screens of all roles of an active user. */
export const functionsOfUser = (group: string, user: string): string => `
  array(select distinct one.code from (select held.* from ${rolesOfUser(group, user)}) held,
    lateral (select f.function_code as code ${screensOf(group, 'held')}) one)`;
