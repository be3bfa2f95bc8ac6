import { dependencyKind, profile, type Profile, roleCode, userState, type UserState } from '@acervo/public-mapping';
import { Address, Choice, Code, Flag, Int, ListOf, Moment, Text, TextList } from '../fields';

/** The largest number of rows in an unpaged list; longer lists are read by pages. */
export const MOST_LISTED = 5_000;

export class UserReference {
  @Address({ names: 'user', wire: 'codigo', description: 'Code of the user: an address' }) readonly code!: string;
}

/** A person as administrators see it. */
export class UserRecord extends UserReference {
  @Text({ wire: 'nombre', max: 200, description: 'Name' }) readonly name!: string;
  @Choice(userState.internalCodes, { publicly: userState, wire: 'estado', description: 'State of the account' })
  readonly state!: UserState;
  @Choice(profile.internalCodes, {
    publicly: profile,
    wire: 'tipo_acceso',
    nullable: true,
    description: 'Access level; null without a role',
  })
  readonly profile!: Profile | null;
  @Int({ published: false, wire: 'id_rol_principal', nullable: true, description: 'The role that sessions open with' })
  readonly mainRoleId!: number | null;
  @Code({ publicly: roleCode, wire: 'rol_principal', nullable: true, description: 'Code of that role' })
  readonly mainRole!: string | null;
  @Code({ wire: 'codigo_grupo', description: 'The group that is the default one of the user' })
  readonly groupCode!: string;
  @Code({ wire: 'entidad_predeterminada', nullable: true, description: 'Entity that sessions open with' })
  readonly defaultEntity!: string | null;
  @Code({ wire: 'area_predeterminada', nullable: true, description: 'Area that sessions open with' })
  readonly defaultArea!: string | null;
  @Code({ wire: 'aplicacion_predeterminada', nullable: true, description: 'Application that sessions open with' })
  readonly defaultApplication!: string | null;
  @Moment({ wire: 'fecha_creacion', description: 'When the account was made' }) readonly createdAt!: string;
}

export class UserRecords {
  @ListOf(() => UserRecord, { max: MOST_LISTED, description: 'Users by name' }) readonly items!: readonly UserRecord[];
}

export class UserSearch {
  @Text({ wire: 'q', max: 200, optional: true, description: 'Part of a name or of an address' }) readonly q?: string;
}

export class UserPageRequest extends UserSearch {
  @Int({ min: 1, max: 1_000_000, default: 1, description: 'Page, from 1' }) readonly page!: number;
  @Int({ min: 1, max: 200, default: 50, description: 'Users per page' }) readonly limit!: number;
}

export class UserPage {
  @ListOf(() => UserRecord, { max: 200, description: 'Users of this page' }) readonly items!: readonly UserRecord[];
  @Int({ description: 'Users that match' }) readonly total!: number;
  @Int({ min: 1, description: 'Page, from 1' }) readonly page!: number;
  @Int({ min: 1, description: 'Users per page' }) readonly limit!: number;
}

/** A person as the system-wide lists show it. */
export class DirectoryUser extends UserReference {
  @Text({ wire: 'nombre', max: 200, description: 'Name' }) readonly name!: string;
  @Choice(userState.internalCodes, { publicly: userState, wire: 'estado', description: 'State of the account' })
  readonly state!: UserState;
  @Code({ wire: 'codigo_grupo', description: 'Group of the user' }) readonly groupCode!: string;
  @Text({ wire: 'nombre_grupo', max: 200, description: 'Name of the group' }) readonly groupName!: string;
}

export class DirectoryUsers {
  @ListOf(() => DirectoryUser, { max: MOST_LISTED, description: 'Users of all groups' })
  readonly items!: readonly DirectoryUser[];
}

export class DirectoryPageRequest extends UserSearch {
  @Int({ min: 1, max: 1_000_000, default: 1, description: 'Page, from 1' }) readonly page!: number;
  @Int({ min: 1, max: 200, default: 10, description: 'Users per page' }) readonly limit!: number;
}

export class DirectoryPage {
  @ListOf(() => DirectoryUser, { max: 200, description: 'Users of this page' })
  readonly items!: readonly DirectoryUser[];
  @Int({ description: 'Users that match' }) readonly total!: number;
  @Int({ min: 1, description: 'Page, from 1' }) readonly page!: number;
  @Int({ min: 1, description: 'Users per page' }) readonly limit!: number;
}

/** A new user. Without a password an invitation is sent to set one. */
export class UserDraft {
  @Address({ names: 'new user', wire: 'codigo', description: 'Code of the user: an address' }) readonly code!: string;
  @Text({ wire: 'nombre', min: 1, max: 200, description: 'Name' }) readonly name!: string;
  @Text({ published: false, wire: 'password', min: 8, max: 256, optional: true, description: 'First password' })
  readonly password?: string;
  @Int({ names: 'role', published: false, wire: 'id_rol', min: 1, optional: true, description: 'The first role' })
  readonly roleId?: number;
  @Code({
    names: 'role',
    publicly: roleCode,
    wire: 'codigo_rol',
    optional: true,
    description: 'The first role, by its code',
  })
  readonly roleCode?: string;
  @TextList({
    names: 'entity',
    wire: 'entidades',
    max: 200,
    length: 120,
    optional: true,
    description: 'Entities of the group to assign',
  })
  readonly entities?: readonly string[];
}

/** Changes of a user; absent fields stay. */
export class UserChange {
  @Text({ wire: 'nombre', min: 1, max: 200, optional: true, description: 'Name' }) readonly name?: string;
  @Choice(['ACTIVO', 'INACTIVO'], {
    publicly: userState,
    wire: 'estado',
    optional: true,
    description: 'Whether the account can be used',
  })
  readonly state?: 'ACTIVO' | 'INACTIVO';
  @Code({
    names: 'entity',
    wire: 'entidad_predeterminada',
    optional: true,
    nullable: true,
    description: 'Entity that sessions open with',
  })
  readonly defaultEntity?: string | null;
  @Code({
    names: 'area',
    wire: 'area_predeterminada',
    optional: true,
    nullable: true,
    description: 'Area that sessions open with',
  })
  readonly defaultArea?: string | null;
  @Code({
    names: 'application',
    wire: 'aplicacion_predeterminada',
    optional: true,
    nullable: true,
    description: 'Application to open with',
  })
  readonly defaultApplication?: string | null;
}

export class UserUpdate extends UserChange {
  @Address({ names: 'user', wire: 'codigo', description: 'Code of the user: an address' }) readonly code!: string;
}

export class DependencyCount {
  @Choice(dependencyKind.internalCodes, {
    publicly: dependencyKind,
    wire: 'tipo',
    description: 'What would go; SHARED_SPACES stay',
  })
  readonly kind!: string;
  @Int({ wire: 'cantidad', description: 'How many of it' }) readonly count!: number;
}

/** What the deletion of a user also deletes, in all services, and the shared spaces that it leaves to administrators. */
export class UserDeletionPreview extends UserReference {
  @ListOf(() => DependencyCount, { wire: 'dependencias', max: 50, description: 'One entry a kind, zeros included' })
  readonly dependencies!: readonly DependencyCount[];
  @Int({ description: 'All of it together' }) readonly total!: number;
  @Flag({ wire: 'bloqueado', description: 'A protected role forbids the deletion' }) readonly blocked!: boolean;
}

export class UserDeleted extends UserReference {
  @Flag({ wire: 'eliminado', description: 'Always true' }) readonly deleted!: boolean;
}

export class AddressReleased extends UserReference {
  @Flag({ wire: 'liberado', description: 'False where no user had confirmed the address' }) readonly released!: boolean;
}

export class OwnGroupChange {
  @Code({ names: 'group', wire: 'codigo_grupo', description: 'The group that becomes the default one' })
  readonly groupCode!: string;
}
