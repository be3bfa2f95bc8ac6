/** Parts of a message; `message` joins them. */
export type Part = Buffer;

const varint = (value: bigint): Buffer => {
  let left = BigInt.asUintN(64, value);
  const bytes: number[] = [];
  do {
    const low = Number(left & 127n);
    left >>= 7n;
    bytes.push(left === 0n ? low : low | 128);
  } while (left !== 0n);
  return Buffer.from(bytes);
};

const tag = (field: number, wireType: number): Buffer => varint(BigInt(field * 8 + wireType));

/** A field with an integer. */
export const integer = (field: number, value: number): Part => Buffer.concat([tag(field, 0), varint(BigInt(value))]);

/** A field with a single-precision number. */
export const float = (field: number, value: number): Part => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([tag(field, 5), bytes]);
};

/** A field with bytes. */
export const bytes = (field: number, value: Buffer): Part =>
  Buffer.concat([tag(field, 2), varint(BigInt(value.length)), value]);

/** A field with text. */
export const text = (field: number, value: string): Part => bytes(field, Buffer.from(value));

/** A field with a message. */
export const message = (field: number, ...parts: readonly Part[]): Part => bytes(field, Buffer.concat(parts));
