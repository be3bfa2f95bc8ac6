import type { ExtractedText } from '@acervo/analysis';
import { cpuJob } from '../cpu/cpu';
import type { ClassifiableDocument, ModelFindings } from './classified';
import { Classifier, type DecidedDocument } from './classifier';
import { type ExampleProfile, openingText } from './similarity/example-profile';
import type { Taxonomy } from '../taxonomy/taxonomy';

/** What a classifier is made of. */
export interface ClassifierSource {
  readonly taxonomy: Taxonomy;
  readonly examples: readonly ExampleProfile[];
  /** Mean cosine of unrelated passages under the embedder of the vectors. */
  readonly floor: number;
}

/** A document to classify, with its extracted text as it is stored. */
export interface ClassifierInput extends Omit<ClassifiableDocument, 'text' | 'pageStarts'> {
  readonly stored: Uint8Array;
  readonly vector: Float32Array | null;
  /** What a model found in this text. */
  readonly findings: ModelFindings;
}

export interface Classified extends DecidedDocument {
  /** Title and first sentences, which a vector is made of. */
  readonly opening: string;
}

export interface ClassifyJob {
  /** Names the source: equal keys have equal sources. */
  readonly key: string;
  /** Null where this thread may have made the classifier before. */
  readonly source: ClassifierSource | null;
  readonly documents: readonly ClassifierInput[];
}

/** Classifiers that a thread keeps; compiling one costs more than classifying a document. */
const MOST_CLASSIFIERS = 8;
const made = new Map<string, Classifier>();

const classifierOf = ({ key, source }: Pick<ClassifyJob, 'key' | 'source'>): Classifier | undefined => {
  const classifier =
    made.get(key) ?? (source === null ? undefined : new Classifier(source.taxonomy, source.examples, source.floor));
  if (classifier === undefined) return undefined;
  made.delete(key);
  made.set(key, classifier);
  for (const oldest of made.keys()) if (made.size > MOST_CLASSIFIERS) made.delete(oldest);
  return classifier;
};

export const textOf = (stored: Uint8Array): ExtractedText =>
  JSON.parse(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('utf8')) as ExtractedText;

/** Where each page begins, by its number; notes of a page that follow a later one are part of that one. */
export const pageStartsOf = ({ pages }: Pick<ExtractedText, 'pages'>): number[] => {
  const starts: number[] = [];
  for (const { number, start } of pages) starts[number - 1] ??= start;
  for (let at = 0; at < starts.length; at += 1) starts[at] ??= starts[at - 1] ?? 0;
  return starts;
};

const LONGEST_MS = 60_000;

const classify = (job: ClassifyJob): readonly Classified[] | null => {
  const classifier = classifierOf(job);
  if (classifier === undefined) return null;
  return job.documents.map(({ stored, vector, findings, ...facts }) => {
    const extracted = textOf(stored);
    const document = { ...facts, text: extracted.text, pageStarts: pageStartsOf(extracted) };
    return { ...classifier.classify(document, vector, findings), opening: openingText(document) };
  });
};

/** Decides the types of documents and finds their features; null where the thread lacks the classifier. */
export const CLASSIFY_DOCUMENTS = cpuJob('classify', classify, { deadlineMs: LONGEST_MS });
