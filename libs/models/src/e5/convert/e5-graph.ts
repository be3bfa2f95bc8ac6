import type { Precision } from '../model-files';
import { bytesOf, type Matrix, multiply, packNibbles, scalesOf } from './matrices';
import { MICROSOFT, OnnxGraph, type TensorFile, TYPE } from './onnx-graph';
import { BLOCK, type WeightsFile } from './weights-file';

export interface GraphFiles {
  /** The embeddings of the vocabulary and of positions, which all precisions share. */
  readonly shared: TensorFile;
  /** The matrices of the layers. */
  readonly layers: TensorFile;
}

/**
 * The encoder of multilingual-e5-small: token ids in, the normalised mean of the last layer out. One text a run, so that
 * it needs no attention mask.
 */
class E5Graph {
  private readonly graph = new OnnxGraph();

  constructor(
    private readonly weights: WeightsFile,
    private readonly precision: Precision,
    private readonly files: GraphFiles,
  ) {}

  content(): Buffer {
    const { graph } = this;
    const { hidden, layers } = this.weights.shape;
    graph.input('input_ids', TYPE.int64, ['texts', 'tokens']);
    let state = this.embeddings();
    for (let layer = 0; layer < layers; layer += 1) state = this.layer(state, `l${layer}`);
    const mean = graph.node('ReduceMean', [state, graph.integer(1)], { attributes: { keepdims: 0 } });
    graph.node('LpNormalization', [mean], { attributes: { axis: -1, p: 2 }, outputs: ['embedding'] });
    graph.output('embedding', TYPE.float, ['texts', hidden]);
    return graph.content();
  }

  /** Words, positions and the one type of a text. The words stay in 4 bits: a text looks up a few rows. */
  private embeddings(): string {
    const { graph } = this;
    const words = graph.node('GatherBlockQuantized', this.words(), {
      domain: MICROSOFT,
      attributes: { gather_axis: 0, quantize_axis: 1, block_size: BLOCK },
    });
    const length = graph.node('Shape', ['input_ids'], { attributes: { start: 1, end: 2 } });
    const positions = graph.node('Slice', [this.positions(), graph.integer(0), length, graph.integer(0)]);
    return this.normalised(graph.node('Add', [words, positions]), 'emb.ln');
  }

  private words(): string[] {
    const { graph } = this;
    const { shared: file } = this.files;
    const { hidden, vocabulary } = this.weights.shape;
    const blocks = this.weights.blocks('emb.word');
    const zeros = Buffer.alloc(Math.ceil(blocks.count / 2), 0x88);
    const shape = [vocabulary, hidden / BLOCK];
    return [
      graph.constant('words', TYPE.uint4, [vocabulary, hidden], { data: packNibbles(blocks), file }),
      'input_ids',
      graph.constant('words.scales', TYPE.float, shape, { data: bytesOf(scalesOf(blocks)), file }),
      graph.constant('words.zeros', TYPE.uint4, shape, { data: zeros, file }),
    ];
  }

  private positions(): string {
    const { hidden, positions } = this.weights.shape;
    const type = this.weights.floats('emb.type');
    const sums = this.weights.floats('emb.pos').map((value, index) => value + (type[index % hidden] ?? 0));
    const content = { data: bytesOf(sums), file: this.files.shared };
    return this.graph.constant('positions', TYPE.float, [positions, hidden], content);
  }

  private layer(input: string, name: string): string {
    const { graph } = this;
    const { hidden, heads, feedForward } = this.weights.shape;
    const square = { inputs: hidden, outputs: hidden };
    const projections = [`${name}.q`, `${name}.k`, `${name}.v`];
    const heard = this.biased(...this.product(input, `${name}.qkv`, projections, square));
    const parts = projections.map((part) => `${part}.part`);
    graph.node('Split', [heard], { attributes: { axis: -1, num_outputs: parts.length }, outputs: parts });
    const attention = graph.node('MultiHeadAttention', parts, { domain: MICROSOFT, attributes: { num_heads: heads } });
    const mixed = this.biased(...this.product(attention, `${name}.ao`, [`${name}.ao`], square));
    const attended = this.normalised(graph.node('Add', [mixed, input]), `${name}.aln`);
    const wide = this.product(attended, `${name}.fi`, [`${name}.fi`], {
      ...{ inputs: hidden, outputs: feedForward, rowScale: 'magnitude' },
    });
    const activated = graph.node('BiasGelu', wide, { domain: MICROSOFT });
    const narrow = this.product(activated, `${name}.fo`, [`${name}.fo`], {
      ...{ inputs: feedForward, outputs: hidden, rowScale: 'maximum' },
    });
    return this.normalised(graph.node('Add', [this.biased(...narrow), attended]), `${name}.oln`);
  }

  /** The product with matrices side by side, and their bias. */
  private product(
    input: string,
    name: string,
    parts: readonly string[],
    matrix: Pick<Matrix, 'inputs' | 'outputs' | 'rowScale'>,
  ): [product: string, bias: string] {
    const { graph, weights, precision } = this;
    const { layers: file } = this.files;
    const blocks = parts.map((part) => weights.blocks(`${part}.w`));
    const bias = Buffer.concat(parts.map((part) => bytesOf(weights.floats(`${part}.b`))));
    const product = multiply[precision](graph, input, { name, blocks, ...matrix }, file);
    return [product, graph.constant(`${name}.bias`, TYPE.float, [bias.length / 4], { data: bias, file })];
  }

  private biased(product: string, bias: string): string {
    return this.graph.node('Add', [product, bias]);
  }

  private normalised(input: string, name: string): string {
    const { graph, weights } = this;
    const [scale, bias] = ['w', 'b'].map((part) => {
      const data = bytesOf(weights.floats(`${name}.${part}`));
      return graph.constant(`${name}.${part}`, TYPE.float, [data.length / 4], { data, file: this.files.layers });
    });
    return graph.node('LayerNormalization', [input, scale ?? '', bias ?? ''], {
      attributes: { axis: -1, epsilon: { float: weights.shape.epsilon } },
    });
  }
}

/** The model in the format of ONNX; large tensors go to the given files. */
export const e5Graph = (weights: WeightsFile, precision: Precision, files: GraphFiles): Buffer =>
  new E5Graph(weights, precision, files).content();
