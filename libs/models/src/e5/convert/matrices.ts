import type { Precision } from '../model-files';
import { MICROSOFT, type OnnxGraph, type TensorFile, TYPE } from './onnx-graph';
import { BLOCK, type Blocks } from './weights-file';

/** One scale per token for the input of a matrix: by its largest magnitude, or by its largest value. */
export type RowScale = 'magnitude' | 'maximum';

/** A matrix of the model: `outputs` rows of `inputs` weights. Several blocks lie side by side. */
export interface Matrix {
  readonly name: string;
  readonly blocks: readonly Blocks[];
  readonly inputs: number;
  /** Outputs of each of the blocks. */
  readonly outputs: number;
  readonly rowScale?: RowScale;
}

export const bytesOf = (array: ArrayBufferView): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength);

const PER_BYTE = 2;

/** The nibbles of blocks as ONNX Runtime packs them: two neighbours in a byte, the first one low. */
export const packNibbles = ({ count, nibble }: Blocks): Buffer => {
  const packed = Buffer.alloc((count * BLOCK) / PER_BYTE);
  for (let block = 0; block < count; block += 1)
    for (let index = 0; index < BLOCK; index += PER_BYTE)
      packed[(block * BLOCK + index) / PER_BYTE] = nibble(block, index) | (nibble(block, index + 1) << 4);
  return packed;
};

export const scalesOf = ({ count, scale }: Blocks): Float32Array =>
  Float32Array.from({ length: count }, (_, block) => scale(block));

/** The weights of one output, in full precision. */
const rowOf = ({ scale, nibble }: Blocks, output: number, inputs: number): Float32Array => {
  const first = (output * inputs) / BLOCK;
  const row = new Float32Array(inputs);
  for (let block = 0; block < inputs / BLOCK; block += 1) {
    const factor = scale(first + block);
    for (let index = 0; index < BLOCK; index += 1)
      row[block * BLOCK + index] = (nibble(first + block, index) - 8) * factor;
  }
  return row;
};

/** Signed bytes with one scale for each output, laid out as `inputs` rows. */
const quantise = ({
  blocks,
  inputs,
  outputs,
}: Matrix): { readonly bytes: Int8Array; readonly scales: Float32Array } => {
  const all = outputs * blocks.length;
  const [bytes, scales] = [new Int8Array(inputs * all), new Float32Array(all)];
  for (const [part, weights] of blocks.entries())
    for (let output = 0; output < outputs; output += 1) {
      const row = rowOf(weights, output, inputs);
      const column = part * outputs + output;
      const scale = row.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
      scales[column] = scale;
      for (let input = 0; input < inputs; input += 1)
        bytes[input * all + column] = Math.round((row[input] ?? 0) / (scales[column] ?? 1));
    }
  return { bytes, scales };
};

/**
 * Multiplies 8-bit weights with 8-bit inputs. A scale for each token keeps the outliers of one token from flattening
 * the others: without it the feed-forward layers lose 0.01 of nDCG.
 */
const multiplyBytes = (graph: OnnxGraph, input: string, matrix: Matrix, file: TensorFile): string => {
  const { name, inputs, outputs, rowScale, blocks } = matrix;
  const { bytes, scales } = quantise(matrix);
  const all = outputs * blocks.length;
  const weights = graph.constant(`${name}.bytes`, TYPE.int8, [inputs, all], { data: bytesOf(bytes), file });
  const factors = graph.constant(`${name}.scales`, TYPE.float, [all], { data: bytesOf(scales), file });
  const multiply = (rows: string): string =>
    graph.node('DynamicQuantizeMatMul', [rows, weights, factors], { domain: MICROSOFT });
  if (rowScale === undefined) return multiply(input);
  const most = graph.node('ReduceMax', [
    rowScale === 'magnitude' ? graph.node('Abs', [input]) : input,
    graph.integer(-1),
  ]);
  return graph.node('Mul', [multiply(graph.node('Div', [input, most])), most]);
};

/** Inputs stay single-precision numbers: slower, and the same on every processor. */
const SINGLE_PRECISION = 1;

const joined = (blocks: readonly Blocks[], bytes: (each: Blocks) => Buffer): Buffer => Buffer.concat(blocks.map(bytes));

/** Multiplies the published 4-bit weights with unchanged inputs. */
const multiplyNibbles = (graph: OnnxGraph, input: string, matrix: Matrix, file: TensorFile): string => {
  const { name, inputs, outputs, blocks } = matrix;
  const all = outputs * blocks.length;
  const perRow = inputs / BLOCK;
  const packed = { data: joined(blocks, packNibbles), file };
  const factors = { data: joined(blocks, (each) => bytesOf(scalesOf(each))), file };
  return graph.node(
    'MatMulNBits',
    [
      input,
      graph.constant(`${name}.nibbles`, TYPE.uint8, [all, perRow, BLOCK / PER_BYTE], packed),
      graph.constant(`${name}.scales`, TYPE.float, [all * perRow], factors),
    ],
    {
      domain: MICROSOFT,
      attributes: { K: inputs, N: all, bits: 4, block_size: BLOCK, accuracy_level: SINGLE_PRECISION },
    },
  );
};

/** Adds the product of an input with a matrix; returns the name of its output. */
export const multiply: Readonly<Record<Precision, typeof multiplyBytes>> = {
  int8: multiplyBytes,
  '4-bit': multiplyNibbles,
};
