import { profile, type Profile, roleCode, roleName } from '@acervo/public-mapping';
import { Address, Choice, Code, Flag, Int, ListOf, Text } from '../fields';
import { UserReference } from './users';

/** A role of a user, in the order of the user. */
export class UserRoleItem {
  @Int({ published: false, wire: 'id_rol', description: 'Role' }) readonly roleId!: number;
  @Code({ publicly: roleCode, wire: 'codigo_rol', description: 'Code of the role' }) readonly roleCode!: string;
  @Text({ publicly: roleName, wire: 'nombre', max: 200, description: 'Name of the role' }) readonly name!: string;
  @Choice(profile.internalCodes, { publicly: profile, wire: 'tipo_acceso', description: 'Access level' })
  readonly profile!: Profile;
  @Code({ wire: 'codigo_grupo', description: 'Group in which the user has it' }) readonly groupCode!: string;
  @Int({ wire: 'orden', description: 'Place, from 1' }) readonly position!: number;
  @Flag({ wire: 'principal', description: 'The role that sessions open with' }) readonly main!: boolean;
}

export class UserRoleItems {
  @ListOf(() => UserRoleItem, { max: 500, description: 'Roles in their order' })
  readonly items!: readonly UserRoleItem[];
}

export class RoleAssignment {
  @Int({ names: 'role', wire: 'id_rol', min: 1, description: 'Role to assign' }) readonly roleId!: number;
  @Code({
    names: 'group',
    wire: 'codigo_grupo',
    optional: true,
    description: 'Group of the user; the active one unless named',
  })
  readonly groupCode?: string;
}

/** A role for a user: by its number on the internal routes, by its code as an operation. */
export class AssignRole {
  @Address({ names: 'user', wire: 'codigo', description: 'Code of the user' }) readonly code!: string;
  @Int({ names: 'role', published: false, wire: 'id_rol', min: 1, optional: true, description: 'Role to assign' })
  readonly roleId?: number;
  @Code({
    names: 'role',
    publicly: roleCode,
    published: 'required',
    wire: 'codigo_rol',
    optional: true,
    description: 'Code of the role to assign',
  })
  readonly roleCode?: string;
  @Code({
    names: 'group',
    wire: 'codigo_grupo',
    optional: true,
    description: 'Group of the user; the active one unless named',
  })
  readonly groupCode?: string;
}

export class UserRoleReference {
  @Address({ names: 'user', wire: 'codigo', description: 'Code of the user' }) readonly code!: string;
  @Int({ names: 'role', wire: 'id_rol', min: 1, description: 'Role' }) readonly roleId!: number;
}

export class GroupChoice {
  @Code({
    names: 'group',
    wire: 'codigo_grupo',
    optional: true,
    description: 'Group to act in; the active one unless named',
  })
  readonly groupCode?: string;
}

export class RemoveUserRole extends UserRoleReference {
  @Code({
    names: 'group',
    wire: 'codigo_grupo',
    optional: true,
    description: 'Group to act in; the active one unless named',
  })
  readonly groupCode?: string;
}

/** A role and its place in a list. */
export class RolePlace {
  @Int({ names: 'role', wire: 'id_rol', min: 1, description: 'Role' }) readonly roleId!: number;
  @Int({ wire: 'orden', max: 1_000_000, description: 'Place; equal ones keep the order of the list' })
  readonly position!: number;
}

/** A role of a user and its place: by its number on the internal routes, by its code as an operation. */
export class UserRolePlace {
  @Int({ names: 'role', published: false, wire: 'id_rol', min: 1, optional: true, description: 'Role' })
  readonly roleId?: number;
  @Code({
    names: 'role',
    publicly: roleCode,
    published: 'required',
    wire: 'codigo_rol',
    optional: true,
    description: 'Code of the role',
  })
  readonly roleCode?: string;
  @Int({ wire: 'orden', max: 1_000_000, description: 'Place; equal ones keep the order of the list' })
  readonly position!: number;
}

export class OrderUserRoles extends UserReference {
  @ListOf(() => UserRolePlace, { max: 500, description: 'All roles of the user' })
  readonly places!: readonly UserRolePlace[];
}

/** An entity of a user, whole or one area of it. */
export class UserEntityItem {
  @Code({ wire: 'codigo_entidad', description: 'Entity' }) readonly entityCode!: string;
  @Text({ wire: 'nombre', max: 200, description: 'Name of the entity' }) readonly name!: string;
  @Code({ wire: 'codigo_area', nullable: true, description: 'The one area; null: the whole entity' })
  readonly areaCode!: string | null;
  @Text({ wire: 'nombre_area', max: 200, nullable: true, description: 'Name of the area' })
  readonly areaName!: string | null;
}

export class UserEntityItems {
  @ListOf(() => UserEntityItem, { max: 5_000, description: 'Entities by code' })
  readonly items!: readonly UserEntityItem[];
}

export class ListUserEntities extends UserReference {
  @Code({
    names: 'group',
    wire: 'codigo_grupo',
    optional: true,
    description: 'Group to look in; the active one unless named',
  })
  readonly groupCode?: string;
}

export class EntityAssignment {
  @Code({ names: 'entity', wire: 'codigo_entidad', description: 'Entity to assign' }) readonly entityCode!: string;
  @Code({
    names: 'area',
    wire: 'codigo_area',
    optional: true,
    nullable: true,
    description: 'Area of it, where not the whole is meant',
  })
  readonly areaCode?: string | null;
}

export class AssignEntity extends EntityAssignment {
  @Address({ names: 'user', wire: 'codigo', description: 'Code of the user' }) readonly code!: string;
}

export class UserEntityReference {
  @Address({ names: 'user', wire: 'codigo', description: 'Code of the user' }) readonly code!: string;
  @Code({ names: 'entity', wire: 'entidad', description: 'Entity' }) readonly entityCode!: string;
}

/** What a user loses together with an entity. */
export class EntityRemovalPreview {
  @Address({ wire: 'codigo', description: 'Code of the user' }) readonly code!: string;
  @Code({ wire: 'codigo_entidad', description: 'Entity' }) readonly entityCode!: string;
  @Int({ wire: 'claves_fijas', description: 'Active keys that are fixed to the entity and reach nothing without it' })
  readonly fixedKeys!: number;
  @Flag({ wire: 'predeterminada', description: 'Sessions of the user open with it' }) readonly isDefault!: boolean;
  @Int({ wire: 'restantes', description: 'Entities that remain' }) readonly remaining!: number;
}

export class UserGroupItem {
  @Code({ wire: 'codigo_grupo', description: 'Group' }) readonly groupCode!: string;
  @Text({ wire: 'nombre', max: 200, description: 'Name of the group' }) readonly name!: string;
  @Flag({ wire: 'predeterminado', description: 'It is the default group' }) readonly isDefault!: boolean;
}

export class UserGroupItems {
  @ListOf(() => UserGroupItem, { max: 1, description: 'The default group' }) readonly items!: readonly UserGroupItem[];
}

/** The result of a removal. */
export class Removed {
  @Flag({ wire: 'eliminado', description: 'Always true' }) readonly removed!: boolean;
}
