import { type Field, fieldsOf, jsonSchemaOf, type Operation } from '@acervo/contracts';
import { type Bounds, within } from './bounds';
import type { Installation } from './fixture';
import { thingOf } from './own-group';

type Type = Operation['input'];

const elementOf = async (installation: Installation, field: Field, bounds: Bounds): Promise<unknown> => {
  if (field.of !== undefined) return requiredOf(installation, field.of());
  return field.names === undefined ? within(bounds) : thingOf(installation, field.names);
};

const valueOf = async (installation: Installation, field: Field, bounds: Bounds): Promise<unknown> => {
  if (field.nullable) return null;
  return field.list
    ? [await elementOf(installation, field, bounds.items ?? {})]
    : elementOf(installation, field, bounds);
};

/** The smallest input: required fields only, with identifiers of the group and other values within their bounds. */
export const requiredOf = async (installation: Installation, type: Type): Promise<Record<string, unknown>> => {
  const { properties } = jsonSchemaOf(type, 'public') as { properties: Record<string, Bounds> };
  const required = fieldsOf(type).filter(({ publiclyOptional }) => !publiclyOptional);
  const input: Record<string, unknown> = {};
  for (const field of required)
    if (field.publicName !== null)
      input[field.publicName] = await valueOf(installation, field, properties[field.publicName] ?? {});
  return input;
};
