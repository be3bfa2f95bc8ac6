import { call } from '../calls';
import * as access from './user-access';
import * as users from './users';

const asked = { owner: 'auth', scope: 'user', callers: ['auth', 'operations'] } as const;
const reads = { ...asked, effect: 'read' } as const;
const writes = { ...asked, effect: 'write' } as const;

/** Users whose default group is the active one. */
export const listUsers = call({ ...reads, code: 'users.list', input: users.UserSearch, output: users.UserRecords });
/** The same by pages. */
export const pageUsers = call({ ...reads, code: 'users.page', input: users.UserPageRequest, output: users.UserPage });
/** Users of all groups, for SYSTEM users alone. */
export const listAllUsers = call({
  ...reads,
  code: 'users.list_all',
  input: users.UserSearch,
  output: users.DirectoryUsers,
});
/** The same by pages. */
export const pageAllUsers = call({
  ...reads,
  code: 'users.page_all',
  input: users.DirectoryPageRequest,
  output: users.DirectoryPage,
});
export const getUser = call({ ...reads, code: 'users.get', input: users.UserReference, output: users.UserRecord });
/** Makes a user; without a password an invitation goes out. */
export const createUser = call({ ...writes, code: 'users.create', input: users.UserDraft, output: users.UserRecord });
export const updateUser = call({ ...writes, code: 'users.update', input: users.UserUpdate, output: users.UserRecord });
/** Deletes a user with everything that hangs on it. Refused while it holds a protected role. */
export const deleteUser = call({
  ...writes,
  code: 'users.delete',
  input: users.UserReference,
  output: users.UserDeleted,
});
/** Counts what a deletion would take along, by the deletion's own rules. */
export const previewUserDeletion = call({
  ...reads,
  code: 'users.preview_delete',
  input: users.UserReference,
  output: users.UserDeletionPreview,
});
/** A SYSTEM user's own default group, with the first role of that group as the main one. */
export const changeOwnGroup = call({
  ...writes,
  code: 'users.change_own_group',
  input: users.OwnGroupChange,
  output: users.UserRecord,
});

export const listUserRoles = call({
  ...reads,
  code: 'users.list_roles',
  input: users.UserReference,
  output: access.UserRoleItems,
});
export const addUserRole = call({
  ...writes,
  code: 'users.add_role',
  input: access.AssignRole,
  output: access.UserRoleItem,
});
export const removeUserRole = call({
  ...writes,
  code: 'users.remove_role',
  input: access.RemoveUserRole,
  output: access.Removed,
});
export const reorderUserRoles = call({
  ...writes,
  code: 'users.reorder_roles',
  input: access.OrderUserRoles,
  output: access.UserRoleItems,
});
export const listUserEntities = call({
  ...reads,
  code: 'users.list_entities',
  input: access.ListUserEntities,
  output: access.UserEntityItems,
});
export const addUserEntity = call({
  ...writes,
  code: 'users.add_entity',
  input: access.AssignEntity,
  output: access.UserEntityItem,
});
export const removeUserEntity = call({
  ...writes,
  code: 'users.remove_entity',
  input: access.UserEntityReference,
  output: access.Removed,
});
/** Counts what the removal would take along: keys that are fixed to the entity stop working. */
export const previewEntityRemoval = call({
  ...reads,
  code: 'users.preview_remove_entity',
  input: access.UserEntityReference,
  output: access.EntityRemovalPreview,
});
export const listUserGroups = call({
  ...reads,
  code: 'users.list_groups',
  input: users.UserReference,
  output: access.UserGroupItems,
});
