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
import { cpuJob } from '../cpu/cpu';

/** Characters that count as a page where the source has none. */
const PAGE = 3_000;
const LONGEST_TITLE = 1_000;

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const fromJson = (bytes: Uint8Array): unknown => JSON.parse(asBuffer(bytes).toString('utf8'));
const toJson = (value: object): Uint8Array => Buffer.from(JSON.stringify(value), 'utf8');

/** `es-ES` is Spanish. */
const primary = (tag: string | null): string | null => /^[a-z]{2,3}(?=$|-)/i.exec(tag ?? '')?.[0].toLowerCase() ?? null;

/** An extracted text as it is stored, with its properties. */
export const RECORD_TEXT = cpuJob(
  'record',
  ({ document, languages }: { readonly document: ExtractedText; readonly languages: Languages }) => ({
    text: toJson(document),
    title: document.title?.slice(0, LONGEST_TITLE).toWellFormed() ?? null,
    author: document.author?.slice(0, LONGEST_TITLE).toWellFormed() ?? null,
    statedAt: document.date,
    // Files often name the language of the program that wrote them; the words are more reliable.
    language: detectLanguage(document.text, languages) ?? primary(document.language),
    // A page may come twice: its notes stand behind the page that follows it.
    pages: new Set(document.pages.map(({ number }) => number)).size || Math.ceil(document.text.length / PAGE),
  }),
);

/** SHA-256 of bytes, in hex. */
export const HASH = cpuJob('hash', ({ bytes }: { readonly bytes: Uint8Array }): string =>
  createHash('sha256').update(bytes).digest('hex'),
);

/** The best sentences of an extracted text. */
export const SUMMARISE_TEXT = cpuJob(
  'summarise',
  ({ text, languages }: { readonly text: Uint8Array; readonly languages: Languages }): string => {
    const { text: whole } = fromJson(text) as ExtractedText;
    return digest(whole, languageOf(whole, languages));
  },
);

/** The passages of an extracted text, as the object that is handed over. */
export const CHUNK_TEXT = cpuJob(
  'chunk',
  ({ text, options }: { readonly text: Uint8Array; readonly options: ChunkOptions }) => {
    const chunks = cut(fromJson(text) as ExtractedText, options);
    return { chunks: toJson(encode(PreparedChunks, { chunks })), count: chunks.length, digest: chunksDigest(chunks) };
  },
);
