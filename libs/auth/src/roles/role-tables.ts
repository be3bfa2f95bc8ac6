/** Ids from here on belong to roles of one group; those below are global. */
export const FIRST_GROUP_ROLE = 10_000;
/** Ids below belong to roles of the product; those that SYSTEM users add follow. */
export const FIRST_ADDED_ROLE = 100;

/**
 * The tables of a role. Statements over them take the group as $1. It is part of every key of a group's role; for a
 * global role the parameter only has to exist.
 */
export interface RoleTables {
  readonly roles: string;
  readonly functions: string;
  readonly applications: string;
  /** Ties the rows to $1. */
  readonly scopeCondition: string;
  /** Column and value of the group in an insert. */
  readonly column: string;
  readonly value: string;
}

const ofGroup: RoleTables = {
  roles: 'auth.group_role',
  functions: 'auth.group_role_function',
  applications: 'auth.group_role_application',
  scopeCondition: 'group_id = $1::uuid',
  column: 'group_id, ',
  value: '$1::uuid, ',
};

const ofAll: RoleTables = {
  roles: 'auth.global_role',
  functions: 'auth.global_role_function',
  applications: 'auth.global_role_application',
  scopeCondition: '$1::uuid is not null',
  column: '',
  value: '',
};

export const isGlobalRole = (roleId: number): boolean => roleId < FIRST_GROUP_ROLE;

export const tablesOf = (roleId: number): RoleTables => (isGlobalRole(roleId) ? ofAll : ofGroup);
export const globalTables = ofAll;
export const groupTables = ofGroup;
