import * as organisation from '../../organisation';
import { publish } from '../operation';

publish(organisation.listAreas, {
  summary: 'List the areas of one entity that the caller sees, level by level or by name.',
});
publish(organisation.createArea, { summary: 'Create an area of an entity, at its root or below another area.' });
publish(organisation.updateArea, {
  summary: 'Rename an area or move it, with everything below it, within its entity.',
});
publish(organisation.deleteArea, {
  summary: 'Delete an area; one that something still depends on stays.',
  preview: organisation.areaDependencies,
});
publish(organisation.addAreaLocation, { summary: 'Let an area reach a folder of its entity and everything below it.' });
publish(organisation.removeAreaLocation, {
  summary: 'Take a folder off an area; access through it ends with the next request.',
  preview: organisation.previewAreaLocationRemoval,
});
publish(organisation.listAreaLocations, { summary: 'List the folders that an area reaches.' });
publish(organisation.listEntities, { summary: 'List the entities that the caller administers.' });
publish(organisation.createEntity, { summary: 'Create an entity of the group.' });
publish(organisation.updateEntity, { summary: 'Rename an entity.' });
publish(organisation.deleteEntity, {
  summary: 'Delete an entity; one that something still depends on stays.',
  preview: organisation.entityDependencies,
});
publish(organisation.entityDependencies, { summary: 'Count what depends on an entity.' });
publish(organisation.updateGroup, { summary: 'Rename the group.' });
publish(organisation.updateGroupParameters, {
  summary: 'Set parameters of the organization itself, all of them or none.',
});
publish(organisation.listGroupParameters, {
  summary: 'List the parameters of the group; of private ones only whether they are set.',
});
publish(organisation.updateGroupParameter, { summary: 'Set one parameter of the group, or give it its default back.' });
publish(organisation.listParameterCategories, { summary: 'List what parameters govern, category by category.' });
publish(organisation.listParameterTypes, { summary: 'List the types of parameters and how their values are written.' });
