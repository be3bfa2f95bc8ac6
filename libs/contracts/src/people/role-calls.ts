import { call } from '../calls';
import { operation } from '../operation';
import * as roles from './roles';
import { Removed } from './user-access';

const asked = { owner: 'auth', scope: 'user', callers: ['auth', 'operations'], reach: 'group' } as const;
const reads = { ...asked, effect: 'read' } as const;
const writes = { ...asked, effect: 'write' } as const;

export const listRoles = operation({
  code: 'roles.list',
  owner: 'auth',
  callers: ['auth'],
  reach: 'group',
  kind: 'read',
  profile: 'ADMINISTRADOR',
  screens: ['API_KEYS', 'MANAGE_USERS', 'SECURITY-DASHBOARD'],
  summary: 'List the roles of the group, the global ones included unless they are left out.',
  input: roles.RoleListRequest,
  output: roles.RoleRecords,
});
export const listGlobalRoles = call({
  ...reads,
  code: 'roles.list_global',
  input: roles.GlobalRoleListRequest,
  output: roles.RoleRecords,
});
export const getRole = call({ ...reads, code: 'roles.get', input: roles.RoleReference, output: roles.RoleRecord });
/** Creates a role of a group; a global role requires a SYSTEM user. */
export const createRole = call({ ...writes, code: 'roles.create', input: roles.RoleDraft, output: roles.RoleRecord });
/** Copies a role of a group with its functions and applications. */
export const copyRole = call({ ...writes, code: 'roles.copy', input: roles.RoleCopy, output: roles.RoleRecord });
export const updateRole = call({ ...writes, code: 'roles.update', input: roles.RoleUpdate, output: roles.RoleRecord });
export const deleteRole = call({ ...writes, code: 'roles.delete', input: roles.RoleReference, output: Removed });
export const reorderRoles = call({
  ...writes,
  code: 'roles.reorder',
  input: roles.RoleOrder,
  output: roles.RoleRecords,
});

export const listRoleFunctions = call({
  ...reads,
  code: 'roles.list_functions',
  input: roles.RoleReference,
  output: roles.RoleFunctionItems,
});
export const addRoleFunction = call({
  ...writes,
  code: 'roles.add_function',
  input: roles.AssignFunction,
  output: roles.RoleFunctionItem,
});
export const removeRoleFunction = call({
  ...writes,
  code: 'roles.remove_function',
  input: roles.RoleFunctionReference,
  output: Removed,
});
export const reorderRoleFunctions = call({
  ...writes,
  code: 'roles.reorder_functions',
  input: roles.OrderRoleFunctions,
  output: roles.RoleFunctionItems,
});
export const listRoleApplications = call({
  ...reads,
  code: 'roles.list_applications',
  input: roles.RoleReference,
  output: roles.ApplicationItems,
});
export const addRoleApplication = call({
  ...writes,
  code: 'roles.add_application',
  input: roles.AssignRoleApplication,
  output: roles.ApplicationItem,
});
export const removeRoleApplication = call({
  ...writes,
  code: 'roles.remove_application',
  input: roles.RoleApplicationReference,
  output: Removed,
});
/** Compiles the document of a role from its current state, and stores it. */
export const generateRoleDocument = call({
  ...writes,
  code: 'roles.generate_md',
  input: roles.RoleReference,
  output: roles.CompiledDocument,
});
