import { createHash } from 'node:crypto';

/** Who wrote a part of a prompt, from the product to the task; parts stand in this order. */
export const LAYER_KINDS = ['PRODUCT', 'GROUP', 'ENTITY', 'FUNCTION', 'SKILL'] as const;
export type LayerKind = (typeof LAYER_KINDS)[number];

/** A part of a prompt. Data of documents is no layer. */
export interface PromptLayer {
  readonly kind: LayerKind;
  /** Identifies the part among those of its kind: a code of the product, of a group or of an entity. */
  readonly code: string;
  readonly version: string;
  readonly text: string;
}

/** What is stored of a layer: everything but its text. */
export interface LayerRecord {
  readonly kind: LayerKind;
  readonly code: string;
  readonly version: string;
  /** SHA-256 of its text in UTF-8, as hexadecimal digits. */
  readonly sha256: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export const recordOf = ({ kind, code, version, text }: PromptLayer): LayerRecord => ({
  ...{ kind, code, version },
  sha256: sha256(text),
});

/** The hash of a prompt, from what is stored of its layers: SHA-256 of their fields as JSON, in their order. */
export const promptHash = (records: readonly LayerRecord[]): string =>
  sha256(JSON.stringify(records.map(({ kind, code, version, sha256: hash }) => [kind, code, version, hash])));

/** A prompt of layers, with the record of each and the hash of all. */
export interface ComposedPrompt {
  readonly text: string;
  readonly layers: readonly LayerRecord[];
  readonly hash: string;
}

/** Joins layers in the order of their kinds. Empty ones are left out. */
export const composePrompt = (layers: readonly PromptLayer[]): ComposedPrompt => {
  const ordered = LAYER_KINDS.flatMap((kind) => layers.filter((layer) => layer.kind === kind && layer.text !== ''));
  const records = ordered.map(recordOf);
  return { text: ordered.map(({ text }) => text).join('\n\n'), layers: records, hash: promptHash(records) };
};
