import { isUint8Array } from 'node:util/types';

/** Reads a value of an untrusted process as its type: fields that the type does not have are dropped. */
export type Decoder<T> = (value: unknown) => T;

/** A value has another form than its type. The message names the form, and nothing of the value. */
export class Malformed extends Error {
  constructor(expected: string) {
    super(`A message has another form; expected ${expected}.`);
    this.name = 'Malformed';
  }
}

const checked =
  <T>(expected: string, fits: (value: unknown) => boolean): Decoder<T> =>
  (value) => {
    if (!fits(value)) throw new Malformed(expected);
    return value as T;
  };

export const text = checked<string>('text', (value) => typeof value === 'string');
export const number = checked<number>('a number', (value) => typeof value === 'number');
export const flag = checked<boolean>('true or false', (value) => typeof value === 'boolean');

export const oneOf = <T extends string>(...values: readonly T[]): Decoder<T> =>
  checked<T>(values.join(' or '), (value) => values.some((each) => each === value));

export const nullable =
  <T>(decode: Decoder<T>): Decoder<T | null> =>
  (value) =>
    value === null ? null : decode(value);

export const bytes: Decoder<Buffer> = (value) => {
  if (!isUint8Array(value)) throw new Malformed('bytes');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
};

export const listOf =
  <T>(decode: Decoder<T>): Decoder<T[]> =>
  (value) => {
    if (!Array.isArray(value)) throw new Malformed('a list');
    return value.map((each) => decode(each));
  };

type Fields = Readonly<Record<string, Decoder<unknown>>>;
type Decoded<R extends Fields, O extends Fields> = { readonly [K in keyof R]: ReturnType<R[K]> } & {
  readonly [K in keyof O]?: ReturnType<O[K]>;
};

/** An object with these fields; the optional ones may be absent. */
export const record = <R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional: O = {} as O,
): Decoder<Decoded<R, O>> => {
  const [always, sometimes] = [Object.entries(required), Object.entries(optional)];
  return (value) => {
    if (typeof value !== 'object' || value === null) throw new Malformed('an object');
    const decoded: Record<string, unknown> = {};
    for (const [name, decode] of always) decoded[name] = decode(Reflect.get(value, name));
    for (const [name, decode] of sometimes) {
      const found: unknown = Reflect.get(value, name);
      if (found !== undefined) decoded[name] = decode(found);
    }
    return decoded as Decoded<R, O>;
  };
};
