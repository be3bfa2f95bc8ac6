import * as people from '../../people';
import { publish } from '../operation';

publish(people.listUsers, { summary: 'List the users of the group, all of them or those that match a text.' });
publish(people.createUser, { summary: 'Create a user; an invitation to set a password is sent by mail.' });
publish(people.updateUser, { summary: 'Change the name, the state or the defaults of a user.' });
publish(people.deleteUser, {
  summary: 'Delete a user with roles, entities, keys, sessions and factors.',
  preview: people.previewUserDeletion,
});
publish(people.listUserRoles, { summary: 'List the roles of a user in their order.' });
publish(people.addUserRole, { summary: 'Give a role to a user.' });
publish(people.reorderUserRoles, { summary: 'Order the roles of a user; sessions open with the first one.' });
publish(people.listUserEntities, { summary: 'List the entities that a user reaches, whole or one area of them.' });
publish(people.addUserEntity, { summary: 'Let a user reach an entity, whole or one area of it.' });
publish(people.removeUserEntity, {
  summary: 'Take an entity from a user; access to its documents ends with the next request.',
  preview: people.previewEntityRemoval,
});
publish(people.listRoles, {
  summary: 'List the roles of the group, the global ones included unless they are left out.',
});
publish(people.listApplications, { summary: 'List the applications that people work with.' });
