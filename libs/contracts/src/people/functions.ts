import { profile, type Profile } from '@acervo/public-mapping';
import { Choice, Code, Flag, Int, ListOf, Moment, Nested, Text } from '../fields';
import { FunctionAnalysis } from './function-analysis';
import { FunctionBehaviourItem } from './function-behaviours';
import { FunctionReference } from './function-reference';
import { FunctionView } from './function-views';
import { RoleRecord } from './roles';

/** A titled section of the description of a function. */
export class FunctionSectionItem {
  @Text({ wire: 'titulo', min: 1, max: 120, description: 'Title, unique within the function' }) readonly title!: string;
  @Text({ wire: 'texto', min: 1, max: 4_000, description: 'Paragraphs' }) readonly text!: string;
}

/** A function of the product: a screen that roles give. */
export class FunctionRecord extends FunctionReference {
  @Text({ wire: 'nombre', max: 200, description: 'Name' }) readonly name!: string;
  @Text({ wire: 'alias', max: 120, description: 'Short name' }) readonly alias!: string;
  @Text({ wire: 'descripcion', max: 1_000, description: 'What it is' }) readonly description!: string;
  @Text({ wire: 'resumen', max: 4_000, description: 'What a user does there' }) readonly summary!: string;
  @Text({ wire: 'url', max: 300, description: 'Path of the screen in a client application' }) readonly url!: string;
  @Choice(profile.internalCodes, {
    publicly: profile,
    wire: 'tipo_acceso',
    description: 'Lowest access level that has it',
  })
  readonly profile!: Profile;
  @Int({ wire: 'orden', description: 'Place in menus' }) readonly position!: number;
  @ListOf(() => FunctionSectionItem, { wire: 'secciones', max: 50, description: 'Sections of its description' })
  readonly sections!: readonly FunctionSectionItem[];
  @ListOf(() => FunctionBehaviourItem, { wire: 'comportamientos', max: 200, description: 'What it does' })
  readonly behaviours!: readonly FunctionBehaviourItem[];
  @Flag({ wire: 'del_producto', description: 'Came with the product and cannot be deleted' })
  readonly isBuiltIn!: boolean;
  @Text({ wire: 'documento_md', max: 500_000, nullable: true, description: 'Its document; null until compiled' })
  readonly document!: string | null;
  @Moment({ wire: 'fecha_documento', nullable: true, description: 'When the document was compiled' })
  readonly documentedAt!: string | null;
  @Nested(() => FunctionAnalysis, {
    wire: 'analisis',
    optional: true,
    nullable: true,
    description: 'Its last analysis; null before the first one',
  })
  readonly analysis?: FunctionAnalysis | null;
  @Nested(() => FunctionView, {
    wire: 'vista',
    optional: true,
    nullable: true,
    description: 'Its view; null until one is generated',
  })
  readonly view?: FunctionView | null;
}

export class FunctionRecords {
  @ListOf(() => FunctionRecord, { max: 1_000, description: 'Functions in the order of the menu' })
  readonly items!: readonly FunctionRecord[];
}

export class FunctionListRequest {
  @Code({
    names: 'group',
    wire: 'grupo',
    optional: true,
    description: 'Only functions that some role of this group gives',
  })
  readonly groupCode?: string;
  @Code({ names: 'application', wire: 'app', optional: true, description: 'Only functions of this application' })
  readonly application?: string;
}

/** Changes of a function; absent fields stay. */
export class FunctionChange {
  @Text({ wire: 'nombre', min: 1, max: 200, optional: true, description: 'Name' }) readonly name?: string;
  @Text({ wire: 'alias', max: 120, optional: true, description: 'Short name' }) readonly alias?: string;
  @Text({ wire: 'descripcion', max: 1_000, optional: true, description: 'What it is' }) readonly description?: string;
  @Text({ wire: 'resumen', max: 4_000, optional: true, description: 'What a user does there' })
  readonly summary?: string;
  @Text({ wire: 'url', max: 300, optional: true, description: 'Path of the screen in a client application' })
  readonly url?: string;
  @Choice(profile.internalCodes, {
    publicly: profile,
    wire: 'tipo_acceso',
    optional: true,
    description: 'Lowest access level that has it',
  })
  readonly profile?: Profile;
  @ListOf(() => FunctionSectionItem, {
    wire: 'secciones',
    max: 50,
    optional: true,
    description: 'Sections of its description',
  })
  readonly sections?: readonly FunctionSectionItem[];
  @ListOf(() => FunctionBehaviourItem, {
    wire: 'comportamientos',
    max: 200,
    optional: true,
    description: 'What it does',
  })
  readonly behaviours?: readonly FunctionBehaviourItem[];
}

/** A new function: code and name, and optionally everything else. */
export class FunctionDraft {
  @Code({ names: 'new function', wire: 'codigo', description: 'Code of the function' }) readonly code!: string;
  @Text({ wire: 'nombre', min: 1, max: 200, description: 'Name' }) readonly name!: string;
  @Text({ wire: 'alias', max: 120, optional: true, description: 'Short name' }) readonly alias?: string;
  @Text({ wire: 'descripcion', max: 1_000, optional: true, description: 'What it is' }) readonly description?: string;
  @Text({ wire: 'resumen', max: 4_000, optional: true, description: 'What a user does there' })
  readonly summary?: string;
  @Text({ wire: 'url', max: 300, optional: true, description: 'Path of the screen in a client application' })
  readonly url?: string;
  @Choice(profile.internalCodes, {
    publicly: profile,
    wire: 'tipo_acceso',
    optional: true,
    description: 'Lowest access level that has it',
  })
  readonly profile?: Profile;
  @ListOf(() => FunctionSectionItem, {
    wire: 'secciones',
    max: 50,
    optional: true,
    description: 'Sections of its description',
  })
  readonly sections?: readonly FunctionSectionItem[];
  @ListOf(() => FunctionBehaviourItem, {
    wire: 'comportamientos',
    max: 200,
    optional: true,
    description: 'What it does',
  })
  readonly behaviours?: readonly FunctionBehaviourItem[];
}

export class FunctionUpdate extends FunctionChange {
  @Code({ names: 'function', wire: 'codigo', description: 'Code of the function' }) readonly code!: string;
}

export class FunctionPlace extends FunctionReference {
  @Int({ wire: 'orden', max: 1_000_000, description: 'Place; equal ones keep the order of the list' })
  readonly position!: number;
}

export class FunctionOrder {
  @ListOf(() => FunctionPlace, { max: 1_000, description: 'Functions and their places' })
  readonly places!: readonly FunctionPlace[];
}

export class AssignFunctionApplication extends FunctionReference {
  @Code({ names: 'application', wire: 'codigo_aplicacion', description: 'Application' })
  readonly applicationCode!: string;
}

export class FunctionApplicationReference extends FunctionReference {
  @Code({ names: 'application', wire: 'app', description: 'Application' }) readonly applicationCode!: string;
}

export class FunctionRoleAssignment {
  @Int({ names: 'role', wire: 'id_rol', min: 1, description: 'Role that gets the function' }) readonly roleId!: number;
}

export class FunctionRoleReference extends FunctionReference {
  @Int({ names: 'role', wire: 'id_rol', min: 1, description: 'Role' }) readonly roleId!: number;
}

export class FunctionRoleRecords {
  @ListOf(() => RoleRecord, { max: 5_000, description: 'Roles that give the function' })
  readonly items!: readonly RoleRecord[];
}
