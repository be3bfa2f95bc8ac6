/** How the matrices of the layers are stored and multiplied. */
export const PRECISIONS = ['int8', '4-bit'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** The graph of a precision, and the file of its matrices. */
export const GRAPH_FILES = {
  int8: { graph: 'int8.onnx', layers: 'int8.bin' },
  '4-bit': { graph: '4-bit.onnx', layers: '4-bit.bin' },
} as const satisfies Record<Precision, { readonly graph: string; readonly layers: string }>;

/** The files of a converted model, in the order in which they are written. */
export const MODEL_FILES = [
  'vocabulary.bin',
  'embeddings.bin',
  GRAPH_FILES.int8.layers,
  GRAPH_FILES.int8.graph,
  GRAPH_FILES['4-bit'].layers,
  GRAPH_FILES['4-bit'].graph,
] as const;
export type ModelFile = (typeof MODEL_FILES)[number];
