import { createHash } from 'node:crypto';
import {
  chunk as cut,
  type ChunkOptions,
  detectLanguage,
  type ExtractedText,
  languageOf,
  type Languages,
  summarise as digest,
} from '@acervo/analysis';
import { chunksDigest, encode, PreparedChunks } from '@acervo/contracts';
import { type Embedder, embedderByName } from '@acervo/models';
import { classify } from '../classification/classify-job';
import { type EarlierBytes, filledIn, planVectors, type VectorPlan } from '../embedding/vector-plan';

/** Characters that count as a page where the source has none. */
const PAGE = 3_000;
const LONGEST_TITLE = 1_000;

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const fromJson = (bytes: Uint8Array): unknown => JSON.parse(asBuffer(bytes).toString('utf8'));
const toJson = (value: object): Uint8Array => Buffer.from(JSON.stringify(value), 'utf8');

/** `es-ES` is Spanish. */
const primary = (tag: string | null): string | null => /^[a-z]{2,3}(?=$|-)/i.exec(tag ?? '')?.[0].toLowerCase() ?? null;

/** An extracted text as it is stored, with its properties. */
const record = ({ document, languages }: { document: ExtractedText; languages: Languages }) => ({
  text: toJson(document),
  title: document.title?.slice(0, LONGEST_TITLE).toWellFormed() ?? null,
  author: document.author?.slice(0, LONGEST_TITLE).toWellFormed() ?? null,
  statedAt: document.date,
  // Files often name the language of the program that wrote them; the words are more reliable.
  language: detectLanguage(document.text, languages) ?? primary(document.language),
  // A page may come twice: its notes stand behind the page that follows it.
  pages: new Set(document.pages.map(({ number }) => number)).size || Math.ceil(document.text.length / PAGE),
});

/** SHA-256 of bytes, in hex. */
const hash = ({ bytes }: { bytes: Uint8Array }): string => createHash('sha256').update(bytes).digest('hex');

/** The best sentences of an extracted text. */
const summarise = ({ text, languages }: { text: Uint8Array; languages: Languages }): string => {
  const { text: whole } = fromJson(text) as ExtractedText;
  return digest(whole, languageOf(whole, languages));
};

/** The passages of an extracted text, as the object that is handed over. */
const chunk = ({ text, options }: { text: Uint8Array; options: ChunkOptions }) => {
  const chunks = cut(fromJson(text) as ExtractedText, options);
  return { chunks: toJson(encode(PreparedChunks, { chunks })), count: chunks.length, digest: chunksDigest(chunks) };
};

const embedders = new Map<string, Embedder>();
const embedderOf = (name: string): Embedder => {
  const embedder = embedders.get(name) ?? embedderByName(name);
  embedders.set(name, embedder);
  return embedder;
};

const SLICE = 256;

/** The passages that remain to embed, for any embedder. */
const plan = (input: { chunks: Uint8Array; dimension: number; earlier: EarlierBytes | null }): VectorPlan =>
  planVectors(input.chunks, input.dimension, input.earlier);

interface Embedding {
  readonly chunks: Uint8Array;
  readonly earlier: EarlierBytes | null;
  /** Name of a built-in embedder. */
  readonly embedder: string;
}

/** The vectors of passages by a built-in embedder, as the object that is handed over. */
const embed = async ({ chunks, earlier, embedder }: Embedding): Promise<Uint8Array> => {
  const model = embedderOf(embedder);
  const planned = planVectors(chunks, model.embeddingModel.dimension, earlier);
  const vectors: Float32Array[] = [];
  for (let from = 0; from < planned.texts.length; from += SLICE)
    vectors.push(...(await model.embed(planned.texts.slice(from, from + SLICE), 'passage')));
  return filledIn(planned, vectors);
};

/** The vectors of a few texts by a built-in embedder. */
const embedTexts = ({ texts, embedder }: { texts: readonly string[]; embedder: string }): Promise<Float32Array[]> =>
  embedderOf(embedder).embed([...texts], 'passage');

/** CPU-bound work. Each job takes and gives plain data, so that it runs in a thread as well as in its caller. */
export const jobs = { record, hash, summarise, chunk, plan, embed, embedTexts, classify };

export type JobName = keyof typeof jobs;
export type JobInput<N extends JobName> = Parameters<(typeof jobs)[N]>[0];
export type JobOutput<N extends JobName> = Awaited<ReturnType<(typeof jobs)[N]>>;
