/** How the matrices of the layers are stored and multiplied. */
export const PRECISIONS = ['int8', '4-bit'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** The graph of a precision, and the file of its matrices. */
export const GRAPH_FILES = {
  int8: { graph: 'int8.onnx', layers: 'int8.bin' },
  '4-bit': { graph: '4-bit.onnx', layers: '4-bit.bin' },
} as const satisfies Record<Precision, { readonly graph: string; readonly layers: string }>;

/** The files of a converted model with their SHA-256, which is the same on every platform. */
export const MODEL_DIGESTS = {
  'vocabulary.bin': 'a962818c0b4cd007159216d963d408032fffc8b9c8402e416b261413bc1947f2',
  'embeddings.bin': '6a9b37c540b5599597416e1f84d4d1c953a21f768339acd3ff07fc6fc50a988b',
  'int8.bin': 'edb3e5ef00c1a0cf43f29e4fdba8baad9033deba23f57fe00964e5bac751cad4',
  'int8.onnx': '0316572abdcc3a6b0b08476e272adcb054902d1755a344258be9aade4a60938c',
  '4-bit.bin': 'e827cb5e69bc31f6d682e47056777bb33e8150086ebcd2c02b8d102437c15b8d',
  '4-bit.onnx': '7e4eb51e8f911019133e362af16a70a643d54d8b4da6b7343b16bfc53da97db6',
} as const;
export type ModelFile = keyof typeof MODEL_DIGESTS;

export const MODEL_FILES = Object.keys(MODEL_DIGESTS).filter((name): name is ModelFile => name in MODEL_DIGESTS);
