import type { EmbeddingKind } from '../embedder';
import type { Vocabulary } from './vocabulary';

/** Most tokens of a text, with its start and end marks; the rest is cut off. */
export const MOST_TOKENS = 512;

const SPACE = 0x20;
/** Stands for a space in tokens, and before the first word. */
const META = 0x2581;

/** Cuts texts into the tokens of the model: the best-scored segmentation (unigram), as XLM-RoBERTa does. */
export class Tokenizer {
  constructor(private readonly vocabulary: Vocabulary) {}

  /** Ids of a text with its prefix and marks, at most `MOST_TOKENS`. */
  ids(text: string, kind: EmbeddingKind): number[] {
    const { bos, eos } = this.vocabulary;
    const tokens = this.segment(this.points(`${kind}: ${text.normalize('NFKC').trim()}`));
    return [bos, ...tokens.slice(0, MOST_TOKENS - 2), eos];
  }

  /** The normalised code points: runs of spaces are one mark, and one stands before the first word. */
  private points(text: string): number[] {
    const points: number[] = [];
    const push = (point: number): void => {
      if (point === SPACE) {
        if (points.at(-1) !== META) points.push(META);
        return;
      }
      if (points.length === 0) points.push(META);
      points.push(point);
    };
    for (const character of text) {
      const point = character.codePointAt(0) ?? SPACE;
      const normalised = this.vocabulary.normalised(point);
      if (normalised === undefined) push(point);
      else normalised.forEach(push);
    }
    return points;
  }

  /** The segmentation with the highest sum of scores (Viterbi), in single precision like the reference. */
  private segment(points: readonly number[]): number[] {
    const { vocabulary } = this;
    const end = points.length;
    const [best, token, from] = [
      new Float32Array(end + 1).fill(-Infinity),
      new Int32Array(end + 1),
      new Int32Array(end + 1),
    ];
    best[0] = 0;
    const offer = (start: number, stop: number, id: number, score: number): void => {
      const sum = Math.fround((best[start] ?? 0) + score);
      if (sum > (best[stop] ?? 0)) [best[stop], token[stop], from[stop]] = [sum, id, start];
    };
    for (let start = 0; start < end; start += 1) {
      let node = 0;
      for (let stop = start; stop < end; stop += 1) {
        node = vocabulary.child(node, points[stop] ?? 0);
        if (node < 0) break;
        const id = vocabulary.tokenAt(node);
        if (id >= 0) offer(start, stop + 1, id, vocabulary.scores[id] ?? 0);
      }
      offer(start, start + 1, vocabulary.unknown, vocabulary.unknownScore);
    }
    const tokens: number[] = [];
    for (let stop = end; stop > 0; stop = from[stop] ?? 0) tokens.push(token[stop] ?? 0);
    return tokens.toReversed();
  }
}
