/** Ids from here on belong to roles of one group; those below are of all groups. */
export const FIRST_GROUP_ROLE = 10_000;
/** Ids below are roles of the product; SYSTEM users add theirs behind. */
export const FIRST_ADDED_ROLE = 100;

/**
 * The tables that a role lives in. Statements over them take the group as $1: it is part of every key of a group's
 * role, and only has to be there for a global one.
 */
export interface RoleTables {
  readonly roles: string;
  readonly functions: string;
  readonly applications: string;
  /** Ties the rows to $1. */
  readonly own: string;
  /** Column and value of the group in an insert. */
  readonly column: string;
  readonly value: string;
}

const ofGroup: RoleTables = {
  roles: 'auth.group_role',
  functions: 'auth.group_role_function',
  applications: 'auth.group_role_application',
  own: 'group_id = $1::uuid',
  column: 'group_id, ',
  value: '$1::uuid, ',
};

const ofAll: RoleTables = {
  roles: 'auth.global_role',
  functions: 'auth.global_role_function',
  applications: 'auth.global_role_application',
  own: '$1::uuid is not null',
  column: '',
  value: '',
};

export const isGlobalRole = (roleId: number): boolean => roleId < FIRST_GROUP_ROLE;

export const tablesOf = (roleId: number): RoleTables => (isGlobalRole(roleId) ? ofAll : ofGroup);
export const globalTables = ofAll;
export const groupTables = ofGroup;
