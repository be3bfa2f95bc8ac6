import type { EmbeddingKind } from '../embedder';
import type { Precision } from './model-files';

/** What a thread needs to open its session. */
export interface SessionSettings {
  /** Directory of the converted model. */
  readonly directory: string;
  readonly precision: Precision;
  /** Content of its `vocabulary.bin`, which all threads share. */
  readonly vocabulary: SharedArrayBuffer;
  /** Threads that one run uses. */
  readonly cores: number;
  /** Niceness of the thread: how low its priority is. */
  readonly nice: number;
}

/** One text to embed. */
export interface SessionRequest {
  readonly text: string;
  readonly kind: EmbeddingKind;
}

/** A vector of length 1, and the tokens that it took. */
export interface Embedded {
  readonly vector: Float32Array;
  readonly tokens: number;
}

/** `ready` comes first, once; then one reply for each request. */
export type SessionReply = { readonly ready: true } | { readonly embedded: Embedded } | { readonly failure: string };
