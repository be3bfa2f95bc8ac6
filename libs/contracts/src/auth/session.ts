import { profile, type Profile } from '@acervo/public-mapping';
import { call } from '../calls';
import { Empty } from '../empty';
import { Choice, Code, Flag, OneOf, Text, TextList } from '../fields';
import { operation } from '../operation';

/** The caller and its focus. Roles are not part of it. */
export class SessionContext {
  @Code({ description: 'Group of the caller' }) readonly groupCode!: string;
  @Text({ max: 320, description: 'Code of the user: an address' }) readonly userCode!: string;
  @Text({ max: 200, description: 'Name of the user' }) readonly userAlias!: string;
  @Choice(['api_key', 'session'], { publicly: 'same', description: 'Kind of credential' }) readonly credential!: string;
  @OneOf(profile, { description: 'Access level' }) readonly profile!: Profile;
  @TextList({ max: 500, length: 120, description: 'Screens that the caller reaches' })
  readonly functions!: readonly string[];
  @TextList({ max: 5000, length: 120, description: 'Entities that the caller may see or focus on' })
  readonly entities!: readonly string[];
  @Flag({ description: 'The entity belongs to the key and can be neither changed nor released' })
  readonly entityIsFixed!: boolean;
  @Code({ nullable: true, description: 'Entity in focus' }) readonly activeEntity!: string | null;
  @Code({ nullable: true, description: 'Area focus that is stored' }) readonly activeArea!: string | null;
  @Code({ nullable: true, description: 'Area that applies' }) readonly effectiveArea!: string | null;
  @Code({ nullable: true, description: 'Root of the authorised area' }) readonly authorizedAreaRoot!: string | null;
  @Flag({ description: 'The area focus was set on purpose' }) readonly areaFocusIsExplicit!: boolean;
  @Flag({
    description: 'The focus lies outside of the permission now: nothing is read until it is released or replaced',
  })
  readonly focusIsStale!: boolean;
}

const session = { owner: 'auth', scope: 'user', output: SessionContext } as const;

/** Describes the caller and its focus, including a stale focus. */
export const describeContext = call({
  ...session,
  code: 'session.get',
  effect: 'read',
  callers: ['gateway'],
  input: Empty,
});

export class ActiveEntity {
  @Code({
    names: 'entity',
    nullable: true,
    description: 'Entity to focus on; null releases the focus, and that on an area with it',
  })
  readonly entityCode!: string | null;
}

export class ActiveArea {
  @Code({
    names: 'area',
    nullable: true,
    description: 'Area to focus on, with its entity; null releases the area and keeps the entity',
  })
  readonly areaCode!: string | null;
}

/** @throws Forbidden for a key that is fixed to another entity. */
export const setActiveEntity = operation({
  code: 'session.set_active_entity',
  owner: 'auth',
  callers: ['gateway'],
  kind: 'write',
  profile: 'USUARIO',
  screens: ['SESSION'],
  summary: 'Focus the credential on an entity, or release the focus with null.',
  input: ActiveEntity,
  output: SessionContext,
});

/** Focuses a credential on a permitted area, and so on the entity of that area. */
export const setActiveArea = call({
  ...session,
  code: 'session.set_active_area',
  effect: 'write',
  callers: ['gateway', 'operations'],
  input: ActiveArea,
});
