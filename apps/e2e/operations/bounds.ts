/** The bounds of a field, as far as the suite can exceed them. */
export interface Bounds {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly items?: Bounds;
  readonly properties?: Readonly<Record<string, Bounds>>;
  readonly required?: readonly string[];
}

/** The schema of a closed object. */
export interface Schema extends Bounds {
  readonly properties: Readonly<Record<string, Bounds>>;
  readonly required: readonly string[];
}

/** A wrong value, and the field that the error must name. */
export interface Wrong {
  readonly value: unknown;
  readonly field: string;
}

/** A value within the bounds of a field. */
export const within = ({ minimum, enum: choices, items }: Bounds): unknown =>
  items === undefined ? (choices?.[0] ?? minimum ?? 'x') : [];

/** Nested objects with one wrong field each. */
const parts = (field: string, properties: Readonly<Record<string, Bounds>>): Wrong[] =>
  Object.entries(properties).flatMap(([name, bounds]) =>
    beyond(`${field}.${name}`, bounds).map((wrong) => ({ ...wrong, value: { [name]: wrong.value } })),
  );

const list = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** Elements with one wrong field each. */
const elements = (field: string, { properties = {} }: Bounds): Wrong[] => {
  const right = Object.fromEntries(Object.entries(properties).map(([name, bounds]) => [name, within(bounds)]));
  return Object.entries(properties).flatMap(([name, bounds]) =>
    beyond(`${field}.${name}`, bounds).map((wrong) => ({ ...wrong, value: [{ ...right, [name]: wrong.value }] })),
  );
};

/** Values of other types, and the first values beyond each bound, for a field and its nested fields. */
export const beyond = (field: string, bounds: Bounds): readonly Wrong[] => {
  const { type, minimum, maximum, minLength = 0, maxLength, maxItems, enum: choices, items, properties } = bounds;
  if (properties !== undefined) return [{ value: 'x', field }, { value: [], field }, ...parts(field, properties)];
  const values = [
    { a: 1 },
    ...(maximum === undefined ? [] : [maximum + 1, '1']),
    ...(type === 'integer' ? [1.5] : []),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(minLength === 0 ? [] : ['']),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [list(maxItems + 1, 'x')]),
    ...(choices === undefined ? [] : ['NADA']),
    ...(items?.maxLength === undefined ? [] : [['x'.repeat(items.maxLength + 1)], [1]]),
  ];
  return [...values.map((value) => ({ value, field })), ...(items === undefined ? [] : elements(field, items))];
};

/** Values that lack one required field, at any depth, with the name of that field; by the field of the input. */
export const lacking = ({ properties, required }: Schema): readonly (readonly Wrong[])[] =>
  Object.entries(properties).map(([field, { items }]) => [
    ...(required.includes(field) ? [{ field, value: undefined }] : []),
    ...(items?.required ?? []).map((name) => {
      const all = Object.entries(items?.properties ?? {}).map(([each, bounds]) => [each, within(bounds)] as const);
      return { field: `${field}.${name}`, value: [Object.fromEntries(all.filter(([each]) => each !== name))] };
    }),
  ]);

/** Inputs with one wrong value in every field that has one left, and the fields that their errors must name. */
export const rounds = (
  input: object,
  wrong: readonly (readonly Wrong[])[],
): readonly { readonly value: object; readonly fields: readonly string[] }[] => {
  const count = Math.max(0, ...wrong.map(({ length }) => length));
  return Array.from({ length: count }, (_, round) => {
    const tried = wrong.flatMap((each) => each.slice(round, round + 1));
    const values = tried.map(({ field, value }) => [field.split('.', 1)[0] ?? '', value] as const);
    return { value: { ...input, ...Object.fromEntries(values) }, fields: tried.map(({ field }) => field).toSorted() };
  });
};
