import * as proto from './protobuf';

/** Element types of tensors, as ONNX numbers them. */
export const TYPE = { float: 1, uint8: 2, int8: 3, int64: 7, uint4: 21 } as const;
export type ElementType = (typeof TYPE)[keyof typeof TYPE];

/** Operators of ONNX Runtime beyond the standard. */
export const MICROSOFT = 'com.microsoft';

const IR_VERSION = 10;
const OPSET = 21;
const ATTRIBUTE = { float: 1, integer: 2, integers: 7 } as const;
const EXTERNAL = 1;
/** Windows maps files at multiples of 64 KiB. */
const ALIGNMENT = 65_536;
/** Smaller tensors lie in the graph itself. */
const LEAST_EXTERNAL = 65_536;

export type Attribute = number | { readonly float: number };

export interface NodeOptions {
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly outputs?: readonly string[];
}

export interface TensorData {
  readonly data: Buffer;
  readonly file: TensorFile;
}

/** A file of tensors beside the graph. ONNX Runtime maps it, so that sessions share its pages. */
export class TensorFile {
  private readonly parts: Buffer[] = [];
  private size = 0;

  constructor(readonly name: string) {}

  /** Appends a tensor; returns its offset. */
  append(data: Buffer): number {
    const offset = this.size;
    const padding = Buffer.alloc((ALIGNMENT - (data.length % ALIGNMENT)) % ALIGNMENT);
    this.parts.push(data, padding);
    this.size += data.length + padding.length;
    return offset;
  }

  content(): Buffer {
    return Buffer.concat(this.parts);
  }
}

const attribute = ([name, value]: [string, Attribute]): proto.Part =>
  typeof value === 'number'
    ? proto.message(5, proto.text(1, name), proto.integer(3, value), proto.integer(20, ATTRIBUTE.integer))
    : proto.message(5, proto.text(1, name), proto.float(2, value.float), proto.integer(20, ATTRIBUTE.float));

/** A tensor as input or output of the graph; a dimension with a name is chosen by each run. */
const value = (
  field: number,
  name: string,
  type: ElementType,
  dimensions: readonly (number | string)[],
): proto.Part => {
  const shape = dimensions.map((dimension) =>
    proto.message(1, typeof dimension === 'string' ? proto.text(2, dimension) : proto.integer(1, dimension)),
  );
  const tensor = proto.message(1, proto.integer(1, type), proto.message(2, ...shape));
  return proto.message(field, proto.text(1, name), proto.message(2, tensor));
};

/** Writes a model in the format of ONNX (onnx.proto, IR version 10). */
export class OnnxGraph {
  private readonly nodes: proto.Part[] = [];
  private readonly tensors: proto.Part[] = [];
  private readonly values: proto.Part[] = [];
  private readonly integers = new Set<string>();

  /** Adds a constant; a large one goes to `file`. Returns its name. */
  constant(name: string, type: ElementType, dimensions: readonly number[], { data, file }: TensorData): string {
    const about = [
      ...dimensions.map((dimension) => proto.integer(1, dimension)),
      proto.integer(2, type),
      proto.text(8, name),
    ];
    const where = data.length < LEAST_EXTERNAL ? [proto.bytes(9, data)] : this.external(data, file);
    this.tensors.push(proto.message(5, ...about, ...where));
    return name;
  }

  /** The constant tensor with one integer; all operators share it. Returns its name. */
  integer(value: number): string {
    const name = `integer.${value}`;
    const about = [proto.integer(1, 1), proto.integer(2, TYPE.int64), proto.text(8, name)];
    const data = Buffer.alloc(8);
    data.writeBigInt64LE(BigInt(value));
    if (!this.integers.has(name)) this.tensors.push(proto.message(5, ...about, proto.bytes(9, data)));
    this.integers.add(name);
    return name;
  }

  /** Adds an operator; returns the name of its first output. */
  node(type: string, inputs: readonly string[], { domain, attributes = {}, outputs }: NodeOptions = {}): string {
    const number = this.nodes.length + 1;
    const named = outputs ?? [`t${number}`];
    this.nodes.push(
      proto.message(
        1,
        ...inputs.map((input) => proto.text(1, input)),
        ...named.map((output) => proto.text(2, output)),
        proto.text(3, `${type}_${number}`),
        proto.text(4, type),
        ...Object.entries(attributes).map(attribute),
        ...(domain === undefined ? [] : [proto.text(7, domain)]),
      ),
    );
    return named[0] ?? '';
  }

  input(name: string, type: ElementType, dimensions: readonly (number | string)[]): void {
    this.values.push(value(11, name, type, dimensions));
  }

  output(name: string, type: ElementType, dimensions: readonly (number | string)[]): void {
    this.values.push(value(12, name, type, dimensions));
  }

  content(): Buffer {
    return Buffer.concat([
      proto.integer(1, IR_VERSION),
      proto.text(2, 'acervo'),
      proto.message(7, ...this.nodes, proto.text(2, 'e5'), ...this.tensors, ...this.values),
      proto.message(8, proto.text(1, ''), proto.integer(2, OPSET)),
      proto.message(8, proto.text(1, MICROSOFT), proto.integer(2, 1)),
    ]);
  }

  private external(data: Buffer, file: TensorFile): proto.Part[] {
    const place = { location: file.name, offset: file.append(data), length: data.length };
    const entries = Object.entries(place).map(([key, entry]) =>
      proto.message(13, proto.text(1, key), proto.text(2, String(entry))),
    );
    return [...entries, proto.integer(14, EXTERNAL)];
  }
}
