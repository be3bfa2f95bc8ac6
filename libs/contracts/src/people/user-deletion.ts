import { type Call, call } from '../calls';
import { event } from '../events';
import { Address, Choice, Flag, ListOf, Uuid } from '../fields';
import { DependencyCount } from './users';

/**
 * Services other than auth with rows that name a user, by id or by address. A deletion of a user waits for each of
 * them. A service that is added here does not start before it counts these rows (`userDependents`) and deletes them
 * (`userDeletionStarted`, answered by `userDependentsDeleted`).
 *
 * Audit records name users too. They are kept: they are the record of what was done.
 */
export const servicesWithUserData = ['operations', 'retrieval', 'chat'] as const;
export type ServiceWithUserData = (typeof servicesWithUserData)[number];

/** An account: its id, which is never used again, and its address, which a later account may have. */
export class UserIdentity {
  @Uuid({ description: 'The account' }) readonly userId!: string;
  @Address({ names: 'user', description: 'Code of the user: an address' }) readonly code!: string;
}

/** An account whose dependents are counted. */
export class CountedUser extends UserIdentity {
  @Flag({ optional: true, description: 'Whether it is of SYSTEM, and may have acted in other groups' })
  readonly isSystem?: boolean;
}

export class UserDependents {
  @ListOf(() => DependencyCount, { max: 20, description: 'One entry a kind, zeros included' })
  readonly dependencies!: readonly DependencyCount[];
}

type CountOfDependents = Call<CountedUser, UserDependents, 'user'>;

const countIn = (owner: ServiceWithUserData): CountOfDependents =>
  call({
    code: `user_dependents.count_in_${owner}`,
    owner,
    effect: 'read',
    scope: 'user',
    callers: ['auth'],
    reach: 'group',
    input: CountedUser,
    output: UserDependents,
  });

/** Count what each service deletes with a user, or hands to administrators, by the selection of the deletion itself. */
export const userDependents: Readonly<Record<ServiceWithUserData, CountOfDependents>> = {
  operations: countIn('operations'),
  retrieval: countIn('retrieval'),
  chat: countIn('chat'),
};

const byUser = ({ userId }: { readonly userId: string }): string => userId;

/**
 * The access of a user ended, and each service deletes what names the user. Ingestion forgets the id and answers nothing:
 * it deletes no row.
 */
export const userDeletionStarted = event({
  topic: 'user.deletion_started.v1',
  producer: 'auth',
  subscribers: [...servicesWithUserData, 'ingestion'],
  payload: UserIdentity,
  key: byUser,
});

/** A service has deleted its rows that name the user. */
export class UserDependentsDeleted {
  @Uuid({ description: 'The account' }) readonly userId!: string;
  @Choice(servicesWithUserData, { publicly: 'same', description: 'The service that deleted its rows' })
  readonly service!: ServiceWithUserData;
}

/** The account itself is deleted after the last service. */
export const userDependentsDeleted = event({
  topic: 'user.dependents_deleted.v1',
  producer: 'any',
  producerField: 'service',
  subscribers: ['auth'],
  payload: UserDependentsDeleted,
  key: byUser,
});
