import { call } from '../calls';
import * as areas from './areas';
import * as entities from './entities';

const asked = { owner: 'auth', scope: 'user' } as const;
const reads = { ...asked, effect: 'read', callers: ['gateway', 'operations'] } as const;
const writes = { ...asked, effect: 'write', callers: ['operations'] } as const;

/** Areas of one entity that the caller sees. @throws InvalidContext when no entity can be told. */
export const listAreas = call({ ...reads, code: 'areas.list', input: areas.AreaListRequest, output: areas.AreaList });
/** The areas that the caller sees documents under: those of its focus. @throws InvalidContext when no entity can be told. */
export const listVisibleAreas = call({
  ...asked,
  code: 'areas.list_visible',
  effect: 'read',
  callers: ['gateway'],
  input: areas.AreaListRequest,
  output: areas.AreaList,
});
/** @throws OrganisationConflict for a code that is taken, a parent of another entity or a tree that is too deep. */
export const createArea = call({ ...writes, code: 'areas.create', input: areas.NewArea, output: areas.AreaItem });
/** Renames an area or moves it, with everything below it, within its entity. */
export const updateArea = call({ ...writes, code: 'areas.update', input: areas.AreaUpdate, output: areas.AreaItem });
/** @throws OrganisationConflict with the counts of what still depends on it. */
export const deleteArea = call({
  ...writes,
  code: 'areas.delete',
  input: areas.AreaReference,
  output: areas.AreaDeleted,
});
/** Counts what a deletion would be refused for, by the deletion's own query. */
export const areaDependencies = call({
  ...reads,
  code: 'areas.get_dependencies',
  input: areas.AreaReference,
  output: areas.AreaDependencies,
});
/** Lets an area reach a folder of its entity and everything below it. Linking twice is linking once. */
export const addAreaLocation = call({
  ...writes,
  code: 'areas.add_location',
  input: areas.AreaLocationReference,
  output: areas.AreaLocationItem,
});
/** @throws NotFound where there is no link. */
export const removeAreaLocation = call({
  ...writes,
  code: 'areas.remove_location',
  input: areas.AreaLocationReference,
  output: areas.AreaLocationRemoved,
});
/** Counts who would reach what no more. @throws NotFound where there is no link. */
export const previewAreaLocationRemoval = call({
  ...reads,
  callers: ['operations'],
  code: 'areas.preview_remove_location',
  input: areas.AreaLocationReference,
  output: areas.AreaLocationEffect,
});
/** Counts the areas of the group that are linked to folders, whoever sees them: the asking service decides for whom. */
export const countAreaLinks = call({
  ...asked,
  effect: 'read',
  callers: ['ingestion'],
  code: 'areas.count_links',
  input: areas.AreaLinksRequest,
  output: areas.AreaLinks,
});
export const listAreaLocations = call({
  ...reads,
  code: 'areas.list_locations',
  input: areas.AreaLocationsRequest,
  output: areas.AreaLocations,
});

/** Entities that the caller administers. */
export const listEntities = call({
  ...reads,
  code: 'entities.list',
  input: entities.EntityListRequest,
  output: entities.EntityList,
});
export const createEntity = call({
  ...writes,
  code: 'entities.create',
  input: entities.NewEntity,
  output: entities.EntityItem,
});
export const updateEntity = call({
  ...writes,
  code: 'entities.update',
  input: entities.EntityUpdate,
  output: entities.EntityItem,
});
/** @throws OrganisationConflict with the counts of what still depends on it, and for the last one of the group. */
export const deleteEntity = call({
  ...writes,
  code: 'entities.delete',
  input: entities.EntityReference,
  output: entities.EntityDeleted,
});
/** Counts what a deletion would be refused for, by the deletion's own query. */
export const entityDependencies = call({
  ...reads,
  code: 'entities.get_dependencies',
  input: entities.EntityReference,
  output: entities.EntityDependencies,
});

export const updateGroup = call({
  ...writes,
  code: 'groups.update',
  input: entities.GroupUpdate,
  output: entities.GroupRecord,
});
