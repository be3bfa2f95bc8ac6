import { call } from '../calls';
import { operation } from '../operation';
import * as areas from './areas';
import * as entities from './entities';

const asked = { owner: 'auth', scope: 'user' } as const;
const reads = { ...asked, effect: 'read', callers: ['gateway', 'operations'] } as const;

/** @throws InvalidContext when no entity can be determined */
export const listAreas = operation({
  code: 'areas.list',
  owner: 'auth',
  callers: ['gateway'],
  kind: 'read',
  profile: 'USUARIO',
  screens: ['API_KEYS', 'MANAGE_ENTITIES', 'MANAGE_USERS', 'WORKSPACES'],
  summary: 'List the areas of one entity that the caller sees, level by level or by name.',
  input: areas.AreaListRequest,
  output: areas.AreaList,
});
/**
 * The areas under which the caller sees documents: those of its focus.
 * @throws InvalidContext when no entity can be determined
 */
export const listVisibleAreas = call({
  ...asked,
  code: 'areas.list_visible',
  effect: 'read',
  callers: ['gateway', 'chat'],
  input: areas.AreaListRequest,
  output: areas.AreaList,
});
/** @throws OrganisationConflict for a code that is taken, a parent of another entity or a tree that is too deep. */
export const createArea = operation({
  code: 'areas.create',
  owner: 'auth',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Create an area of an entity, at its root or below another area.',
  input: areas.NewArea,
  output: areas.AreaItem,
});
export const updateArea = operation({
  code: 'areas.update',
  owner: 'auth',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Rename an area or move it, with everything below it, within its entity.',
  input: areas.AreaUpdate,
  output: areas.AreaItem,
});
/** Counts what a deletion would be refused for, by the deletion's own query. */
export const areaDependencies = call({
  ...reads,
  code: 'areas.get_dependencies',
  input: areas.AreaReference,
  output: areas.AreaDependencies,
});
/** @throws OrganisationConflict with the counts of what still depends on it. */
export const deleteArea = operation({
  code: 'areas.delete',
  owner: 'auth',
  kind: 'write_confirm',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Delete an area; one that something still depends on stays.',
  preview: areaDependencies,
  input: areas.AreaReference,
  output: areas.AreaDeleted,
});
/** Lets an area reach a folder of its entity and everything below it. Idempotent. */
export const addAreaLocation = operation({
  code: 'areas.add_location',
  owner: 'auth',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Let an area reach a folder of its entity and everything below it.',
  input: areas.AreaLocationReference,
  output: areas.AreaLocationItem,
});
/**
 * Counts the users, keys, folders and documents that the removal affects.
 * @throws NotFound for an absent link
 */
export const previewAreaLocationRemoval = call({
  ...reads,
  callers: ['operations'],
  code: 'areas.preview_remove_location',
  input: areas.AreaLocationReference,
  output: areas.AreaLocationEffect,
});
/** @throws NotFound where there is no link. */
export const removeAreaLocation = operation({
  code: 'areas.remove_location',
  owner: 'auth',
  kind: 'write_confirm',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Unlink a folder from an area; access through it ends with the next request.',
  preview: previewAreaLocationRemoval,
  input: areas.AreaLocationReference,
  output: areas.AreaLocationRemoved,
});
/**
 * Counts the areas of the group that are linked to folders, without a check of visibility: the asking service decides
 * for whom it asks.
 */
export const countAreaLinks = call({
  ...asked,
  effect: 'read',
  callers: ['ingestion'],
  code: 'areas.count_links',
  input: areas.AreaLinksRequest,
  output: areas.AreaLinks,
});
export const listAreaLocations = operation({
  code: 'areas.list_locations',
  owner: 'auth',
  callers: ['gateway'],
  kind: 'read',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'List the folders that an area reaches.',
  input: areas.AreaLocationsRequest,
  output: areas.AreaLocations,
});

export const listEntities = operation({
  code: 'entities.list',
  owner: 'auth',
  callers: ['gateway'],
  kind: 'read',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES', 'MANAGE_USERS', 'SECURITY-DASHBOARD'],
  summary: 'List the entities that the caller administers.',
  input: entities.EntityListRequest,
  output: entities.EntityList,
});
export const createEntity = operation({
  code: 'entities.create',
  owner: 'auth',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Create an entity of the group.',
  input: entities.NewEntity,
  output: entities.EntityItem,
});
export const updateEntity = operation({
  code: 'entities.update',
  owner: 'auth',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Rename an entity.',
  input: entities.EntityUpdate,
  output: entities.EntityItem,
});
/** Counts what a deletion would be refused for, by the deletion's own query. */
export const entityDependencies = operation({
  code: 'entities.get_dependencies',
  owner: 'auth',
  callers: ['gateway'],
  kind: 'read',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Count what depends on an entity.',
  input: entities.EntityReference,
  output: entities.EntityDependencies,
});
/** @throws OrganisationConflict with the counts of what still depends on it, and for the last one of the group. */
export const deleteEntity = operation({
  code: 'entities.delete',
  owner: 'auth',
  kind: 'write_confirm',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Delete an entity; one that something still depends on stays.',
  preview: entityDependencies,
  input: entities.EntityReference,
  output: entities.EntityDeleted,
});

/**
 * An entity within the administration of the caller, by its code.
 * @throws NotFound for any other
 */
export const getEntity = call({
  ...asked,
  effect: 'read',
  callers: ['ingestion'],
  code: 'entities.get',
  input: entities.EntityReference,
  output: entities.EntityItem,
});

export const updateGroup = operation({
  code: 'groups.update',
  owner: 'auth',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Rename the group.',
  input: entities.GroupUpdate,
  output: entities.GroupRecord,
});
