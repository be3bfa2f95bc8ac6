import { profile, type Profile } from '@acervo/public-mapping';
import { call } from '../calls';
import { Choice, Code, Flag, OneOf, Text, TextList } from '../fields';
import { Nothing } from './login';

/** Who the caller is and where its focus lies. Roles stay inside. */
export class SessionContext {
  @Code({ description: 'Group of the caller' }) readonly groupCode!: string;
  @Text({ max: 320, description: 'Code of the user: an address' }) readonly userCode!: string;
  @Text({ max: 200, description: 'Name of the user' }) readonly userAlias!: string;
  @Choice(['api_key', 'session'], { description: 'Kind of credential' }) readonly credential!: string;
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

/** Who the caller is and where its focus lies, a stale one included. */
export const describeContext = call({
  ...session,
  code: 'session.get',
  effect: 'read',
  callers: ['gateway'],
  input: Nothing,
});

export class ActiveEntity {
  @Code({ nullable: true, description: 'Entity to focus on; null releases the focus, and that on an area with it' })
  readonly entityCode!: string | null;
}

export class ActiveArea {
  @Code({
    nullable: true,
    description: 'Area to focus on, with its entity; null releases the area and keeps the entity',
  })
  readonly areaCode!: string | null;
}

const changes = { ...session, effect: 'write', callers: ['gateway', 'operations'] } as const;

/** Focuses a credential on an entity until it is told otherwise. @throws Forbidden for a key that is fixed to another. */
export const setActiveEntity = call({ ...changes, code: 'session.set_active_entity', input: ActiveEntity });

/** Focuses a credential on an area within its permission, and so on the entity of that area. */
export const setActiveArea = call({ ...changes, code: 'session.set_active_area', input: ActiveArea });
