import { profile, type Profile } from '@acervo/public-mapping';
import { call } from '../calls';
import { Empty } from '../empty';
import { services } from '../services';
import { Choice, Code, Flag, Int, Nested, OneOf, Text, TextList, Uuid } from '../fields';

/** The largest number of entities in a scope, and thus of a user. */
export const MOST_ENTITIES = 5_000;

/**
 * What auth verified about one request of one user, as the scope token carries it. Auth alone mints it; the rbac
 * library turns it into a Scope.
 */
export class ScopeClaims {
  @Uuid({ description: 'Group' }) readonly groupId!: string;
  @Code({ description: 'Group code' }) readonly groupCode!: string;
  /** Set for a SYSTEM user who acts in a group other than their own. */
  @Uuid({ optional: true, description: 'Group that the user belongs to, where it is another' })
  readonly homeGroupId?: string;
  @Uuid({ description: 'User' }) readonly userId!: string;
  @Text({ max: 320, description: 'User code: an address' }) readonly userCode!: string;
  @Text({ max: 200, description: 'Name of the user' }) readonly userName!: string;
  @Choice(['api_key', 'session'], { description: 'Kind of credential' }) readonly credential!: 'api_key' | 'session';
  @Text({ max: 64, description: 'Public id of the credential' }) readonly credentialId!: string;
  @Int({ min: 1, max: 2, description: 'Assurance level of the credential' }) readonly assurance!: number;
  @OneOf(profile, { description: 'Access level' }) readonly profile!: Profile;
  @Text({ max: 120, description: 'Role' }) readonly roleCode!: string;
  @TextList({ max: 500, length: 120, description: 'Functions (screens) of the role' })
  readonly functions!: readonly string[];
  @TextList({ max: MOST_ENTITIES, length: 120, description: 'Entities that the owner may see' })
  readonly entities!: readonly string[];
  @Code({ nullable: true, description: 'Entity in focus' }) readonly activeEntity!: string | null;
  @Code({ nullable: true, description: 'Root of the authorised area' }) readonly authorizedAreaRoot!: string | null;
  @Code({ nullable: true, description: 'Area focus that is stored' }) readonly activeArea!: string | null;
  @Code({ nullable: true, description: 'Area that applies' }) readonly effectiveArea!: string | null;
  @Flag({ description: 'The area focus was set on purpose' }) readonly areaFocusIsExplicit!: boolean;
  @TextList({ max: 500, length: 120, nullable: true, description: 'Folders the effective area reaches; null: all' })
  readonly locationRoots!: readonly string[] | null;
  /** Empty where the folders exceed a token; the service that owns the data then asks for the set. */
  @Text({ min: 64, max: 64, optional: true, description: 'SHA-256 of the folders, where they are too many to list' })
  readonly locationRootsHash?: string;
  /** Such a key reaches its entity or area alone, and nothing that belongs to the group as a whole. */
  @Flag({ default: false, description: 'The credential is a key that is fixed to an entity or an area' })
  readonly isFixed?: boolean;
  /** Refuses every read under this focus. The focus can be released or replaced. */
  @Flag({ default: false, description: 'The focus lies outside of what the owner may see now' })
  readonly focusIsStale?: boolean;
  /** Refuses every read without a focus: areas of several entities are no area together. */
  @Flag({ default: false, description: 'The owner has areas of several entities, and none of them is in focus' })
  readonly needsFocus?: boolean;
}

/**
 * Length limit of a scope token, in characters. Claims carry up to 5,000 entities, 500 folders and 500 functions of up
 * to 120 characters. Signed, they reach 988,000 characters; a token is far shorter with ordinary codes.
 */
const MOST_OF_TOKEN = 1_000_000;

/** A scope lists at most this many folders; beyond that it carries their hash. */
export const MOST_LISTED_ROOTS = 500;

export class Credential {
  @Text({ min: 1, max: 4096, description: 'The token after Bearer' }) readonly bearer!: string;
  /** Set by the routes of the second factor. All other routes refuse such a session. */
  @Flag({ default: false, description: 'Accepts a session that lacks its second factor' })
  readonly owingFactor?: boolean;
  /** The guard refuses a key on a route that serves none, before the limits of the key. */
  @Flag({ default: true, description: 'The route serves API keys, so a key is counted' })
  readonly servesApiKeys?: boolean;
}

export class VerifiedScope {
  @Nested(() => ScopeClaims, { description: 'What was verified' }) readonly claims!: ScopeClaims;
  @Text({ max: MOST_OF_TOKEN, description: 'The claims signed by auth, for 60 seconds' }) readonly token!: string;
}

export const verifyCredential = call({
  code: 'credentials.verify',
  owner: 'auth',
  effect: 'read',
  scope: 'anonymous',
  callers: [...services, 'standalone'],
  input: Credential,
  output: VerifiedScope,
  deadlineMs: 3_000,
});

export class ScopeToken {
  @Text({ min: 1, max: MOST_OF_TOKEN, description: 'A scope token that is at most 10 minutes old' })
  readonly token!: string;
}

/** Repeats the verification behind a token, so that long work ends when its access ends. */
export const renewScope = call({
  code: 'scope.renew',
  owner: 'auth',
  effect: 'read',
  scope: 'anonymous',
  callers: [...services],
  input: ScopeToken,
  output: VerifiedScope,
  deadlineMs: 3_000,
});

export class LocationRoots {
  @TextList({ max: 1_000_000, length: 120, description: 'Folders that the effective area reaches, in order' })
  readonly roots!: readonly string[];
  @Text({ min: 64, max: 64, description: 'SHA-256 of the folders, as the scope of a request carries it' })
  readonly hash!: string;
}

/** The current folders of a scope that carries only their hash. */
export const locationRootsOfScope = call({
  code: 'scope.location_roots',
  owner: 'auth',
  effect: 'read',
  scope: 'user',
  callers: [...services],
  input: Empty,
  output: LocationRoots,
  deadlineMs: 5_000,
});

export class EntityInRequest {
  @Code({ names: 'entity', description: 'An entity that a request names' }) readonly entityCode!: string;
}

export class EntityReach {
  @TextList({ max: 1_000_000, length: 120, nullable: true, description: 'Folders that the caller reaches; null: all' })
  readonly locationRoots!: readonly string[] | null;
}

/** What a caller reaches in one of their entities, whichever is in focus; absent for every other one. */
export const entityReach = call({
  code: 'scope.entity_reach',
  owner: 'auth',
  effect: 'read',
  scope: 'user',
  callers: ['ingestion', 'retrieval'],
  input: EntityInRequest,
  output: EntityReach,
  deadlineMs: 5_000,
});
