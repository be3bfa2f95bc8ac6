import { parameterCategory, type ParameterCategory, parameterType, type ParameterType } from '@acervo/public-mapping';
import { call } from '../calls';
import { Empty } from '../empty';
import { Code, Flag, Int, ListOf, Moment, OneOf, Text, TextList } from '../fields';
import { operation } from '../operation';

const VALUE = { max: 4_000, nullable: true } as const;
const SENT = 'The value as text: true or false, 12, 0.5, 2026-01-31, one of the choices; null for the default' as const;

/** One parameter of the group: definition and value. */
export class ParameterItem {
  @Code({ description: 'Code of the parameter' }) readonly code!: string;
  @Text({ max: 200, description: 'Name' }) readonly name!: string;
  @Text({ max: 1_000, description: 'What it governs' }) readonly description!: string;
  @OneOf(parameterCategory, { description: 'Category' }) readonly category!: ParameterCategory;
  @OneOf(parameterType, { description: 'Type of its value' }) readonly type!: ParameterType;
  @Flag({ wire: 'private', description: 'Its value can be replaced and is never shown' }) readonly isPrivate!: boolean;
  @Flag({ description: 'The group has set it' }) readonly isSet!: boolean;
  @Text({ ...VALUE, description: 'The value in effect; null for a private one, and where there is none' })
  readonly value!: string | null;
  @Text({ ...VALUE, description: 'The value while the group has set none' }) readonly defaultValue!: string | null;
  @TextList({ max: 100, length: 120, description: 'The values that it may have; empty where any of its type will do' })
  readonly choices!: readonly string[];
  @Int({
    optional: true,
    description: 'Documents that the skill would read again after a change; present for prompts and models of skills',
  })
  readonly documents?: number;
}

export class ParameterList {
  @ListOf(() => ParameterItem, { max: 500, description: 'Parameters by category and code' })
  readonly parameters!: readonly ParameterItem[];
}

export class ParameterListRequest {
  @OneOf(parameterCategory, { optional: true, description: 'Only those of this category' })
  readonly category?: ParameterCategory;
}

export class ParameterUpdate {
  @Code({ names: 'parameter', description: 'Code of the parameter' }) readonly parameterCode!: string;
  @Text({ ...VALUE, description: SENT }) readonly value!: string | null;
}

export class GroupParametersUpdate {
  @ListOf(() => ParameterUpdate, { max: 50, description: 'Parameters of the category ORGANIZATION, each once' })
  readonly parameters!: readonly ParameterUpdate[];
}

export class ParameterValuesRequest {
  @TextList({ names: 'parameter', max: 50, length: 120, description: 'Codes of the parameters' })
  readonly parameterCodes!: readonly string[];
}

export class ParameterValue {
  @Code({ description: 'Code of the parameter' }) readonly parameterCode!: string;
  @Text({ ...VALUE, description: 'The value in effect; null where there is none' }) readonly value!: string | null;
  @Moment({ optional: true, description: 'When the group set it; absent for a default' }) readonly setAt?: string;
}

export class ParameterValues {
  @ListOf(() => ParameterValue, { max: 50, description: 'Values in the order of the request' })
  readonly values!: readonly ParameterValue[];
}

export class WebToken {
  @Text({ max: 4_000, nullable: true, description: 'Host of the site that gets the token; null where none is set' })
  readonly host!: string | null;
  @Text({ max: 4_000, nullable: true, description: 'The token; null where none is set' })
  readonly token!: string | null;
}

export class ParameterCategoryItem {
  @OneOf(parameterCategory, { description: 'Code of the category' }) readonly code!: ParameterCategory;
  @Text({ max: 200, description: 'Name' }) readonly name!: string;
  @Text({ max: 1_000, description: 'What its parameters govern' }) readonly description!: string;
  @Int({ description: 'Parameters in it' }) readonly parameters!: number;
}

export class ParameterCategories {
  @ListOf(() => ParameterCategoryItem, { max: 100, description: 'Categories in their order' })
  readonly categories!: readonly ParameterCategoryItem[];
}

export class ParameterTypeItem {
  @OneOf(parameterType, { description: 'Code of the type' }) readonly code!: ParameterType;
  @Text({ max: 1_000, description: 'How its values are written' }) readonly description!: string;
  @Flag({ wire: 'private', description: 'Its values are never shown' }) readonly isPrivate!: boolean;
}

export class ParameterTypes {
  @ListOf(() => ParameterTypeItem, { max: 100, description: 'Types in their order' })
  readonly types!: readonly ParameterTypeItem[];
}

const published = { owner: 'auth', profile: 'ADMINISTRADOR' } as const;

/** Parameters of the group. Private ones show whether they are set, never their value. */
export const listGroupParameters = operation({
  ...published,
  code: 'parameters.list_group',
  kind: 'read',
  screens: ['MANAGE_GROUP_PARAMS'],
  summary: 'List the parameters of the group; of private ones only whether they are set.',
  input: ParameterListRequest,
  output: ParameterList,
});
/** @throws InvalidInput for a value that is not of its type. */
export const updateGroupParameter = operation({
  ...published,
  code: 'parameters.update_group',
  kind: 'write',
  screens: ['MANAGE_GROUP_PARAMS'],
  summary: 'Set one parameter of the group, or give it its default back.',
  input: ParameterUpdate,
  output: ParameterItem,
});
export const updateGroupParameters = operation({
  ...published,
  code: 'groups.update_parameters',
  kind: 'write',
  screens: ['MANAGE_ENTITIES'],
  summary: 'Set parameters of the organization itself, all of them or none.',
  input: GroupParametersUpdate,
  output: ParameterList,
});
export const listParameterCategories = operation({
  ...published,
  code: 'parameter_categories.list',
  kind: 'read',
  screens: ['MANAGE_GROUP_PARAMS'],
  summary: 'List what parameters govern, category by category.',
  input: Empty,
  output: ParameterCategories,
});
export const listParameterTypes = operation({
  ...published,
  code: 'parameter_types.list',
  kind: 'read',
  screens: ['MANAGE_GROUP_PARAMS'],
  summary: 'List the types of parameters and how their values are written.',
  input: Empty,
  output: ParameterTypes,
});
/**
 * The values in effect of parameters that a service acts on.
 * @throws NotFound for a parameter that is missing or private
 */
export const readParameters = call({
  code: 'parameters.read',
  owner: 'auth',
  scope: 'work',
  effect: 'read',
  callers: ['retrieval', 'chat', 'ingestion', 'operations'],
  input: ParameterValuesRequest,
  output: ParameterValues,
});
/** The private parameter WEB_TOKEN, for the service that fetches pages. */
export const readWebToken = call({
  code: 'parameters.read_web_token',
  owner: 'auth',
  scope: 'work',
  effect: 'read',
  callers: ['ingestion'],
  input: Empty,
  output: WebToken,
});
