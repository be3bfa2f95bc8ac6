import { createHash } from 'node:crypto';
import { call } from '../calls';
import { Code, Flag, Int, ListOf, Text, TextList, Uuid } from '../fields';
import { type DocumentDescribed, EmbeddingModelKey } from './events';

type Place = Pick<
  DocumentDescribed,
  'code' | 'name' | 'entityCode' | 'locationCode' | 'locationAncestors' | 'homeVar' | 'relativePath' | 'path' | 'origin'
>;

const digest = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** Name and place of a document, as one value to compare. */
export const placeDigest = (fact: Place): string =>
  digest([
    [fact.code, fact.name, fact.entityCode, fact.locationCode, fact.locationAncestors],
    [fact.homeVar, fact.relativePath, fact.path, fact.origin],
  ]);

/** Title and summary of a document, as one value to compare. */
export const textDigest = ({ title, summary }: Pick<DocumentDescribed, 'title' | 'summary'>): string =>
  digest([title, summary]);

/** The codes that a document carries, as one value to compare. */
export const codesDigest = ({
  typeCodes = [],
  attributes = [],
  characteristics = [],
}: Pick<DocumentDescribed, 'typeCodes' | 'attributes' | 'characteristics'>): string =>
  digest([typeCodes, attributes, characteristics]);

/** Language and last change of a document, as one value to compare. */
export const factsDigest = ({ language, changedAt }: Pick<DocumentDescribed, 'language' | 'changedAt'>): string =>
  digest([language ?? null, changedAt ?? null]);

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/**
 * The texts of all chunks of a document, as one value to compare. It detects damage, not forgery, so that a database
 * can compute it as well: `md5(string_agg(md5(context || E'\\n' || text), '' order by ordinal))`.
 */
export const chunksDigest = (chunks: readonly { readonly context: string; readonly text: string }[]): string =>
  md5(chunks.map(({ context, text }) => md5(`${context}\n${text}`)).join(''));

export class InventoryRequest {
  @Text({ max: 36, description: 'Documents after this one, in the order of their ids; empty for all' })
  readonly after!: string;
  @Int({ min: 1, max: 100, description: 'Most documents to answer' }) readonly limit!: number;
  @TextList({ names: 'document', max: 100, length: 36, description: 'Only these documents; empty for all' })
  readonly only!: readonly string[];
}

/** What retrieval has of one document. Chunks and vectors are those of the searched embedding index. */
export class InventoryDocument {
  @Uuid({ description: 'Document' }) readonly documentId!: string;
  @Int({ description: 'Latest revision that arrived; 0 for none' }) readonly revision!: number;
  @Flag({ description: 'Whether it is described and not withdrawn' }) readonly isShown!: boolean;
  @Text({ max: 32, description: 'Digest of its place' }) readonly place!: string;
  @Text({ max: 32, description: 'Digest of its description' }) readonly text!: string;
  @Text({ max: 32, optional: true, description: 'Digest of its codes; absent from programs of the last release' })
  readonly codes?: string;
  @Text({
    max: 32,
    optional: true,
    description:
      'Digest of language and last change, empty before they arrived; absent from programs of the last release',
  })
  readonly facts?: string;
  @Flag({ description: 'Whether any generation is live in any embedding index' }) readonly isLive!: boolean;
  @Int({ description: 'Generation that is searched; 0 for none' }) readonly generation!: number;
  @Int({ description: 'Chunks that this generation should have' }) readonly chunkCount!: number;
  @Int({ description: 'Chunks that it has' }) readonly chunks!: number;
  @Text({ max: 32, description: 'Digest of the texts of its chunks; empty where there are none' })
  readonly content!: string;
  @Int({ description: 'Vectors that it has' }) readonly vectors!: number;
  @Int({ description: 'Chunks and vectors of anything that is neither live nor being loaded' })
  readonly stale!: number;
  @Int({ description: 'Chunks that are searched and that the engine beside the database lacks, at least' })
  readonly copiesMissing!: number;
  @Int({ description: 'Copies in that engine of chunks that are not there, at least' }) readonly copiesExtra!: number;
  @Flag({ description: 'Whether events or work wait that concern it' }) readonly isBusy!: boolean;
  @Flag({ description: 'Whether it has dead letters, which wait for a replay' }) readonly isParked!: boolean;
}

export class InventoryPage {
  @ListOf(() => InventoryDocument, { max: 100, description: 'In the order of their ids' })
  readonly documents!: readonly InventoryDocument[];
  @Flag({ description: 'Whether there may be more after the last one' }) readonly hasMore!: boolean;
  @Flag({ description: 'Whether there are copies in an engine beside the database that could not be read now' })
  readonly copiesUnread!: boolean;
  @ListOf(() => EmbeddingModelKey, {
    max: 1,
    description: 'The embedding index that is searched; none before the first document',
  })
  readonly space!: readonly EmbeddingModelKey[];
}

const forIngestion = { owner: 'retrieval', scope: 'work', callers: ['ingestion'] } as const;

/** The index inventory of a group, page by page, for comparison with ingestion. */
export const listInventory = call({
  ...forIngestion,
  code: 'index.list_held',
  effect: 'read',
  input: InventoryRequest,
  output: InventoryPage,
});

export class DocumentsToPurge {
  @TextList({ names: 'document', max: 100, length: 36, description: 'Documents' })
  readonly documentIds!: readonly string[];
}

export class PlannedPurge {
  @Int({ description: 'Documents that are looked through' }) readonly documents!: number;
}

/** Removes chunks and vectors of documents that are neither live nor loading, and copies without a chunk. */
export const purgeStale = call({
  ...forIngestion,
  code: 'index.purge',
  effect: 'write',
  input: DocumentsToPurge,
  output: PlannedPurge,
});

export class StoreDifference {
  @Code({ description: 'Kind of difference' }) readonly kind!: string;
  @Int({ description: 'How often it was found' }) readonly found!: number;
  @Int({ description: 'How often it was repaired' }) readonly repaired!: number;
}

/** How the last comparison of the stores of a group ended. */
export class StoresReport {
  @Text({ max: 40, nullable: true, description: 'When it ended; null before the first one' })
  readonly finishedAt!: string | null;
  @Flag({ description: 'Whether a comparison is under way' }) readonly isRunning!: boolean;
  @Int({ description: 'Documents that were compared' }) readonly documents!: number;
  @Int({ description: 'Objects that were compared' }) readonly objects!: number;
  @Int({ description: 'Documents whose copies in the engine that ranks words could not be compared' })
  readonly copiesUnread!: number;
  @ListOf(() => StoreDifference, { max: 50, description: 'What differed; nothing where the stores agree' })
  readonly differences!: readonly StoreDifference[];
}
