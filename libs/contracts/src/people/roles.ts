import {
  applicationName,
  profile,
  type Profile,
  roleCode,
  roleDescription,
  roleDocument,
  roleName,
} from '@acervo/public-mapping';
import { Choice, Code, Flag, Int, ListOf, Moment, Text } from '../fields';
import { RolePlace } from './user-access';

/** Levels that routes can give: SYSTEM is given by a command alone. */
const givenLevels = ['USUARIO', 'ADMINISTRADOR'] as const;
export type GivenLevel = (typeof givenLevels)[number];

export class RoleReference {
  @Int({ names: 'role', published: false, wire: 'id_rol', min: 1, max: 2_147_483_647, description: 'Role' })
  readonly roleId!: number;
}

/** A role of a group, or of all groups. */
export class RoleRecord extends RoleReference {
  @Code({ publicly: roleCode, wire: 'codigo', description: 'Code of the role' }) readonly code!: string;
  @Text({ publicly: roleName, wire: 'nombre', max: 200, description: 'Name' }) readonly name!: string;
  @Text({ publicly: roleDescription, wire: 'descripcion', max: 1_000, description: 'What it is for' })
  readonly description!: string;
  @Choice(profile.internalCodes, { publicly: profile, wire: 'tipo_acceso', description: 'Access level' })
  readonly profile!: Profile;
  @Code({ wire: 'codigo_grupo', nullable: true, description: 'Its group; null: every group has it' })
  readonly groupCode!: string | null;
  @Flag({ wire: 'es_global', description: 'Every group has it' }) readonly isGlobal!: boolean;
  @Flag({ wire: 'protegido', description: 'Its holders are not deleted and it is not taken from them' })
  readonly isProtected!: boolean;
  @Int({ wire: 'orden', description: 'Place in lists' }) readonly position!: number;
  @Text({
    publicly: roleDocument,
    wire: 'documento_md',
    max: 500_000,
    nullable: true,
    description: 'Its document, in Markdown; null until compiled',
  })
  readonly document!: string | null;
  @Moment({ wire: 'fecha_documento', nullable: true, description: 'When the document was compiled' })
  readonly documentedAt!: string | null;
}

export class RoleRecords {
  @ListOf(() => RoleRecord, { max: 5_000, description: 'Roles in their order' }) readonly items!: readonly RoleRecord[];
}

export class RoleListRequest {
  @Code({ names: 'group', wire: 'codigo_grupo', optional: true, description: 'Group; the active one unless named' })
  readonly groupCode?: string;
  @Flag({ wire: 'incluir_globales', default: true, description: 'Global roles as well' })
  readonly includeGlobal!: boolean;
}

export class GlobalRoleListRequest {
  @Code({ names: 'application', wire: 'app', optional: true, description: 'Only roles of this application' })
  readonly application?: string;
}

/** A new role; without a group it is global. */
export class RoleDraft {
  @Code({ names: 'new role', wire: 'codigo', description: 'Code, unique among the roles that its group sees' })
  readonly code!: string;
  @Text({ wire: 'nombre', min: 1, max: 200, description: 'Name' }) readonly name!: string;
  @Text({ wire: 'descripcion', max: 1_000, optional: true, description: 'What it is for' })
  readonly description?: string;
  @Choice(givenLevels, { publicly: profile, wire: 'tipo_acceso', description: 'Access level' })
  readonly profile!: GivenLevel;
  @Code({
    names: 'group',
    wire: 'codigo_grupo',
    optional: true,
    nullable: true,
    description: 'Its group; absent: a global role',
  })
  readonly groupCode?: string | null;
}

/** Changes of a role; absent fields stay. */
export class RoleChange {
  @Code({ names: 'new role', wire: 'codigo', optional: true, description: 'Code' }) readonly code?: string;
  @Text({ wire: 'nombre', min: 1, max: 200, optional: true, description: 'Name' }) readonly name?: string;
  @Text({ wire: 'descripcion', max: 1_000, optional: true, description: 'What it is for' })
  readonly description?: string;
  @Choice(givenLevels, { publicly: profile, wire: 'tipo_acceso', optional: true, description: 'Access level' })
  readonly profile?: GivenLevel;
}

export class RoleUpdate extends RoleChange {
  @Int({ names: 'role', wire: 'id_rol', min: 1, description: 'Role' }) readonly roleId!: number;
}

export class RoleCopy {
  @Int({ names: 'role', wire: 'id_rol', min: 1, description: 'Role to copy' }) readonly roleId!: number;
  @Code({ names: 'group', wire: 'codigo_grupo', description: 'Group that gets the copy' }) readonly groupCode!: string;
  @Code({
    names: 'new role',
    wire: 'codigo',
    optional: true,
    description: 'Code of the copy; that of the original unless given',
  })
  readonly code?: string;
  @Text({ wire: 'nombre', min: 1, max: 200, optional: true, description: 'Name of the copy' }) readonly name?: string;
}

export class RoleOrder {
  @ListOf(() => RolePlace, { max: 500, description: 'Roles and their places' }) readonly places!: readonly RolePlace[];
}

/** A function of a role, in the order of the role. */
export class RoleFunctionItem {
  @Code({ wire: 'codigo', description: 'Code of the function' }) readonly code!: string;
  @Text({ wire: 'nombre', max: 200, description: 'Name' }) readonly name!: string;
  @Text({ wire: 'alias', max: 120, description: 'Short name' }) readonly alias!: string;
  @Text({ wire: 'url', max: 300, description: 'Path of the screen in a client application' }) readonly url!: string;
  @Int({ wire: 'orden', description: 'Place, from 1' }) readonly position!: number;
}

export class RoleFunctionItems {
  @ListOf(() => RoleFunctionItem, { max: 1_000, description: 'Functions in the order of the role' })
  readonly items!: readonly RoleFunctionItem[];
}

export class FunctionAssignment {
  @Code({ names: 'function', wire: 'codigo_funcion', description: 'Function to assign' })
  readonly functionCode!: string;
}

export class AssignFunction extends FunctionAssignment {
  @Int({ names: 'role', wire: 'id_rol', min: 1, description: 'Role' }) readonly roleId!: number;
}

export class RoleFunctionReference extends RoleReference {
  @Code({ names: 'function', wire: 'funcion', description: 'Function' }) readonly functionCode!: string;
}

export class RoleFunctionPlace {
  @Code({ names: 'function', wire: 'codigo_funcion', description: 'Function' }) readonly functionCode!: string;
  @Int({ wire: 'orden', max: 1_000_000, description: 'Place; equal ones keep the order of the list' })
  readonly position!: number;
}

export class OrderRoleFunctions extends RoleReference {
  @ListOf(() => RoleFunctionPlace, { max: 1_000, description: 'Functions and their places' })
  readonly places!: readonly RoleFunctionPlace[];
}

/** One of the applications that people work with. */
export class ApplicationItem {
  @Code({ wire: 'codigo', description: 'Code of the application' }) readonly code!: string;
  @Text({ publicly: applicationName, wire: 'nombre', max: 200, description: 'Name' }) readonly name!: string;
}

export class ApplicationItems {
  @ListOf(() => ApplicationItem, { max: 100, description: 'Applications' }) readonly items!: readonly ApplicationItem[];
}

export class ApplicationAssignment {
  @Code({ names: 'application', wire: 'codigo_aplicacion', description: 'Application' })
  readonly applicationCode!: string;
}

export class AssignRoleApplication extends ApplicationAssignment {
  @Int({ names: 'role', wire: 'id_rol', min: 1, description: 'Role' }) readonly roleId!: number;
}

export class RoleApplicationReference extends RoleReference {
  @Code({ names: 'application', wire: 'app', description: 'Application' }) readonly applicationCode!: string;
}

/** A document that was compiled and stored now. */
export class CompiledDocument {
  @Text({ wire: 'documento_md', max: 500_000, description: 'The document, in Markdown' }) readonly document!: string;
  @Moment({ wire: 'fecha_documento', description: 'When it was compiled' }) readonly documentedAt!: string;
}
