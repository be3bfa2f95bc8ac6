import { call } from '../calls';
import { operation } from '../operation';
import * as access from './user-access';
import * as users from './users';

const asked = { owner: 'auth', scope: 'user', callers: ['auth', 'operations'] } as const;
const aboutGroup = { ...asked, reach: 'group' } as const;
const reads = { ...aboutGroup, effect: 'read' } as const;
const writes = { ...aboutGroup, effect: 'write' } as const;

const rights = { owner: 'auth', callers: ['auth'], profile: 'ADMINISTRADOR', screens: ['MANAGE_USERS'] } as const;
/** People belong to the group as a whole, and so do their roles. */
const published = { ...rights, reach: 'group' } as const;
/** An assignment of an entity lies within the reach of a key that is fixed to the entity. */
const ofEntities = { ...rights, reach: 'part' } as const;

/** Users whose default group is the active one. */
export const listUsers = operation({
  ...published,
  code: 'users.list',
  kind: 'read',
  summary: 'List the users of the group, all of them or those that match a text.',
  input: users.UserSearch,
  output: users.UserRecords,
});
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
/** Creates a user; without a password an invitation is sent. */
export const createUser = operation({
  ...published,
  code: 'users.create',
  kind: 'write',
  summary: 'Create a user; an invitation to set a password is sent by mail.',
  input: users.UserDraft,
  output: users.UserRecord,
});
export const updateUser = operation({
  ...published,
  code: 'users.update',
  kind: 'write',
  summary: 'Change the name, the state or the defaults of a user.',
  input: users.UserUpdate,
  output: users.UserRecord,
});
/**
 * Counts what a deletion would also delete, here and in every other service, by the rules of the deletion itself.
 * @throws Unavailable where a service does not answer
 */
export const previewUserDeletion = call({
  ...reads,
  code: 'users.preview_delete',
  input: users.UserReference,
  output: users.UserDeletionPreview,
});
/**
 * Ends the access of a user, who is absent from then on. The account is deleted once all services have deleted what
 * names the user. Refused while the user has a protected role.
 */
export const deleteUser = operation({
  ...published,
  code: 'users.delete',
  kind: 'write_confirm',
  summary: 'Delete a user with roles, entities, keys, sessions, factors and stored answers.',
  preview: previewUserDeletion,
  input: users.UserReference,
  output: users.UserDeleted,
});
/** Makes a confirmed address free again, for SYSTEM users alone. Its user keeps everything but the claim to it. */
export const releaseAddress = call({
  ...writes,
  code: 'users.release_address',
  input: users.UserReference,
  output: users.AddressReleased,
});
/** A SYSTEM user's own default group, with the first role of that group as the main one. */
export const changeOwnGroup = call({
  ...writes,
  code: 'users.change_own_group',
  input: users.OwnGroupChange,
  output: users.UserRecord,
});

export const listUserRoles = operation({
  ...published,
  code: 'users.list_roles',
  kind: 'read',
  summary: 'List the roles of a user in their order.',
  input: users.UserReference,
  output: access.UserRoleItems,
});
export const addUserRole = operation({
  ...published,
  code: 'users.add_role',
  kind: 'write',
  summary: 'Give a role to a user.',
  input: access.AssignRole,
  output: access.UserRoleItem,
});
export const removeUserRole = call({
  ...writes,
  code: 'users.remove_role',
  input: access.RemoveUserRole,
  output: access.Removed,
});
export const reorderUserRoles = operation({
  ...published,
  code: 'users.reorder_roles',
  kind: 'write',
  summary: 'Order the roles of a user; sessions open with the first one.',
  input: access.OrderUserRoles,
  output: access.UserRoleItems,
});
export const listUserEntities = operation({
  ...ofEntities,
  code: 'users.list_entities',
  kind: 'read',
  summary: 'List the entities that a user reaches, whole or one area of them.',
  input: access.ListUserEntities,
  output: access.UserEntityItems,
});
export const addUserEntity = operation({
  ...ofEntities,
  code: 'users.add_entity',
  kind: 'write',
  summary: 'Let a user reach an entity, whole or one area of it.',
  input: access.AssignEntity,
  output: access.UserEntityItem,
});
/** Counts what the removal would affect: keys that are fixed to the entity stop working. */
export const previewEntityRemoval = call({
  ...asked,
  effect: 'read',
  code: 'users.preview_remove_entity',
  input: access.UserEntityReference,
  output: access.EntityRemovalPreview,
});
export const removeUserEntity = operation({
  ...ofEntities,
  code: 'users.remove_entity',
  kind: 'write_confirm',
  summary: 'Take an entity from a user; access to its documents ends with the next request.',
  preview: previewEntityRemoval,
  input: access.UserEntityReference,
  output: access.Removed,
});
export const listUserGroups = call({
  ...reads,
  code: 'users.list_groups',
  input: users.UserReference,
  output: access.UserGroupItems,
});
