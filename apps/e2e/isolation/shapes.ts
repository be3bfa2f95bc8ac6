import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { type Field, fieldsOf, type Named } from '@acervo/contracts';

/** One field of an input, at any depth. */
export interface Slot {
  /** Wire names from the input to the field; 0 stands for the element of a list of objects. */
  readonly path: readonly (string | number)[];
  /** The same by the names of operations; absent where they do not show the field. */
  readonly publicPath?: readonly (string | number)[];
  /** `Class.wire`, for the table of kinds. */
  readonly name: string;
  readonly required: boolean;
  /** Whether it is a list of scalar values. */
  readonly list: boolean;
  readonly schema: Schema;
  /** Whether it is declared as a code, an identifier or an address. */
  readonly isCode: boolean;
  /** The thing that its declaration names. */
  readonly names?: Named | undefined;
}

/** The schema of a field's values, from its decorators. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly items?: Schema;
}

const schemaOf = (type: Type, { property }: Field): Schema => {
  for (let proto = type.prototype as object; proto !== null; proto = Object.getPrototypeOf(proto) as object) {
    const found = Reflect.getMetadata('swagger/apiModelProperties', proto, property) as Schema | undefined;
    if (found !== undefined) return found;
  }
  return {};
};

const NO_SPACES = '/^[^\\s\\p{C}]+$/u';

const isCode = (type: Type, { property }: Field, { format, items }: Schema): boolean =>
  ['uuid', 'email'].includes(format ?? '') ||
  items !== undefined ||
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .some(({ propertyName, constraints }) => propertyName === property && String(constraints?.[0]) === NO_SPACES);

type Path = readonly (string | number)[];

/** Where an input begins: its paths, and whether the fields that it requires are required. */
interface Beginning {
  readonly path?: Path;
  readonly publicPath?: Path | undefined;
  readonly required?: boolean;
}

/** All fields of a class with scalar values, including those of nested objects. */
export const slotsOf = (type: Type, { path = [], publicPath = path, required = true }: Beginning = {}): Slot[] =>
  fieldsOf(type).flatMap((field): Slot[] => {
    const needed = required && !field.optional;
    const below = field.of !== undefined && field.list ? [0] : [];
    const at = [...path, field.wire, ...below];
    const shown = field.publicName === null ? {} : { publicPath: [...publicPath, field.publicName, ...below] };
    if (field.of !== undefined) return slotsOf(field.of(), { path: at, ...shown, required: needed });
    const schema = schemaOf(type, field);
    const shape = { list: field.list, schema, isCode: isCode(type, field, schema), names: field.names };
    return [{ path: at, ...shown, name: `${type.name}.${field.wire}`, required: needed, ...shape }];
  });

type Node = Record<string | number, unknown>;

/** Builds one object from values and their paths. */
export const assembled = (values: readonly (readonly [readonly (string | number)[], unknown])[]): Node => {
  const root: Node = {};
  for (const [path, value] of values) {
    let node = root;
    path.forEach((step, index) => {
      if (index === path.length - 1) node[step] = value;
      else node = (node[step] ??= typeof path[index + 1] === 'number' ? [] : {}) as Node;
    });
  }
  return root;
};
