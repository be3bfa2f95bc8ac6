import { profile, type Profile } from '@acervo/public-mapping';
import { Choice, Code, Flag, OneOf, Text, TextList } from '../fields';

/** Who the caller is and where its focus lies. Roles stay inside. */
export class SessionContext {
  @Code({ description: 'Group of the caller' }) readonly groupCode!: string;
  @Text({ max: 320, description: 'Code of the user: an address' }) readonly userCode!: string;
  @Text({ max: 200, description: 'Name of the user' }) readonly userAlias!: string;
  @Choice(['api_key', 'session'], { description: 'Kind of credential' }) readonly credential!: string;
  @OneOf(profile, { description: 'Access level' }) readonly profile!: Profile;
  @TextList({ max: 500, length: 120, description: 'Screens that the caller reaches' })
  readonly functions!: readonly string[];
  @TextList({ max: 5000, length: 120, description: 'Entities that the caller may see' })
  readonly entities!: readonly string[];
  @Code({ nullable: true, description: 'Entity in focus' }) readonly activeEntity!: string | null;
  @Code({ nullable: true, description: 'Area focus that is stored' }) readonly activeArea!: string | null;
  @Code({ nullable: true, description: 'Area that applies' }) readonly effectiveArea!: string | null;
  @Code({ nullable: true, description: 'Root of the authorised area' }) readonly authorizedAreaRoot!: string | null;
  @Flag({ description: 'The area focus was set on purpose' }) readonly areaFocusIsExplicit!: boolean;
}
