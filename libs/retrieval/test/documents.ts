import { randomUUID } from 'node:crypto';
import {
  type DocumentDescribed,
  DocumentEmbedded,
  DocumentPrepared,
  type LocationDescribed,
  type PreparedChunk,
  ScopeClaims,
} from '@acervo/contracts';
import { Database, type DatabaseConnection } from '@acervo/platform-database';
import { type Embedder, vectorBytes } from '@acervo/models';
import { Failpoints } from '@acervo/platform-messaging';
import { newObjectKey, type ObjectStore } from '@acervo/platform-object-store';
import { Scope, WorkScope } from '@acervo/rbac';
import { PreparedReader } from '../src/handover/prepared-reader';
import type { Replaced, Retrieval } from './support';

export const workScope = (groupId: string): WorkScope => new WorkScope(groupId, 'retrieval', 'test');

export const userScope = (groupId: string, over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(
    Object.assign(new ScopeClaims(), {
      groupId,
      functions: ['DOCUMENTS'],
      entities: ['E1', 'E2'],
      activeEntity: null,
      locationRoots: null,
      ...over,
    }),
    'token',
  );

/** A description with defaults for every field. */
export const described = (over: Partial<DocumentDescribed> = {}): DocumentDescribed => {
  const documentId = over.documentId ?? randomUUID();
  return {
    documentId,
    revision: 1,
    code: `D-${documentId}`,
    name: 'sin-nombre.txt',
    title: null,
    summary: 'Un resumen.',
    entityCode: 'E1',
    locationCode: 'L1',
    locationAncestors: ['L1', 'ROOT'],
    homeVar: null,
    relativePath: 'sin-nombre.txt',
    path: 'Raiz/sin-nombre.txt',
    origin: 'CARPETA',
    ...over,
  };
};

export interface DocumentInput extends Partial<DocumentDescribed> {
  readonly groupId: string;
  readonly texts: readonly string[];
  readonly generation?: number;
  readonly language?: string;
}

const chunksOf = (texts: readonly string[], language: string): PreparedChunk[] =>
  texts.map((text, ordinal) => {
    const start = texts.slice(0, ordinal).reduce((sum, { length }) => sum + length + 1, 0);
    return { ordinal, page: null, start, end: start + text.length, text, context: '', language };
  });

/** Stores chunks and vectors as ingestion does; returns the event of the hand-over. */
export const prepare = async (
  { objects, embedder }: { readonly objects: ObjectStore; readonly embedder: Embedder },
  { groupId, texts, generation = 1, language, ...over }: DocumentInput,
): Promise<DocumentPrepared> => {
  const owner = { groupId };
  const [chunksObject, vectorsObject] = [newObjectKey(owner, 'chunks'), newObjectKey(owner, 'vectors')];
  await objects.put(owner, chunksObject, Buffer.from(JSON.stringify({ chunks: chunksOf(texts, language ?? 'es') })));
  await objects.put(owner, vectorsObject, vectorBytes(await embedder.embed(texts, 'passage')));
  return Object.assign(new DocumentPrepared(), {
    ...described(over),
    ...(language === undefined ? {} : { language }),
    generation,
    chunksObject,
    vectorsObject,
    chunkCount: texts.length,
    embedding: [embedder.embeddingModel],
  });
};

/** Publishes a folder to the service. */
export const publishLocation = (
  retrieval: Retrieval,
  groupId: string,
  fact: Partial<LocationDescribed> & Pick<LocationDescribed, 'code'>,
): Promise<void> =>
  retrieval.database.write({ groupId }, (tx) =>
    retrieval.locationConsumer.describe(workScope(groupId), tx, {
      ...{ revision: 1, name: fact.code, parentCode: null, entityCode: 'E1', ancestors: [fact.code], removed: false },
      ...fact,
    }),
  );

/** Publishes a hand-over to the service, without working it. */
export const announce = async (retrieval: Retrieval, groupId: string, fact: DocumentPrepared): Promise<void> => {
  for (const code of fact.locationAncestors)
    await publishLocation(retrieval, groupId, { code, entityCode: fact.entityCode, ancestors: [code] });
  await publishLocation(retrieval, groupId, {
    code: fact.locationCode,
    entityCode: fact.entityCode,
    ancestors: fact.locationAncestors,
    revision: 2,
  });
  await retrieval.database.write({ groupId }, (tx) => retrieval.consumer.plan(workScope(groupId), tx, [fact]));
};

/** The hand-over of the words alone, and the event of the vectors that follow. */
export const apart = (
  fact: DocumentPrepared,
): { readonly words: DocumentPrepared; readonly vectors: DocumentEmbedded } => {
  const { documentId, revision, generation, vectorsObject, chunkCount, embedding } = fact;
  return {
    words: Object.assign(new DocumentPrepared(), { ...fact, vectorsObject: null }),
    vectors: Object.assign(new DocumentEmbedded(), {
      ...{ documentId, revision: revision + 1, generation, chunkCount, embedding },
      vectorsObject: vectorsObject ?? '',
    }),
  };
};

/** Publishes vectors to the service, without working them. */
export const announceVectors = (
  retrieval: Retrieval,
  groupId: string,
  ...facts: readonly DocumentEmbedded[]
): Promise<void> =>
  retrieval.database.write({ groupId }, (tx) => retrieval.vectorsConsumer.plan(workScope(groupId), tx, facts));

/** Publishes the withdrawal of a document to the service, without working it. */
export const withdraw = (retrieval: Retrieval, groupId: string, documentId: string, revision: number): Promise<void> =>
  retrieval.database.write({ groupId }, (tx) =>
    retrieval.consumer.withdraw(workScope(groupId), tx, { documentId, revision }),
  );

/** Prepares, announces and indexes one document. */
export const handOver = async (
  retrieval: Retrieval,
  input: DocumentInput,
  replaced?: Replaced,
): Promise<DocumentPrepared> => {
  const fact = await prepare(retrieval, input);
  await announce(retrieval, input.groupId, fact);
  await retrieval.work(input.groupId, 'index', replaced);
  return fact;
};

/** Reads a hand-over, and runs a function before the load. */
export class ReadsAndThen extends PreparedReader {
  constructor(
    objects: ObjectStore,
    /** Not `then`: Nest awaits the values of providers. */
    private readonly next: () => Promise<unknown>,
  ) {
    super(objects);
  }

  override async read(...args: Parameters<PreparedReader['read']>): ReturnType<PreparedReader['read']> {
    const chunks = await super.read(...args);
    await this.next();
    return chunks;
  }
}

/** Fails at the n-th slice, like an end of the process. */
export const interruptedAt = (slice: number): Failpoints =>
  Failpoints.from(`handover.middle:${slice}`, () => {
    throw new Error('Interrupted by the test.');
  });

/** A database that runs a function right after the n-th transaction with the result 0. */
export class NothingAndThen extends Database {
  constructor(
    connection: DatabaseConnection,
    /** Not `then`: Nest awaits the values of providers. */
    private readonly next: () => Promise<unknown>,
    private remaining = 1,
  ) {
    super(connection);
  }

  override async write<T>(...args: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    const answer = await super.write<T>(...args);
    if (answer !== 0) return answer;
    this.remaining -= 1;
    if (this.remaining === 0) await this.next();
    return answer;
  }
}

/** How many chunks and vectors of a document the tables contain, by generation. */
export const indexed = async (
  { database }: Retrieval,
  groupId: string,
  documentId: string,
): Promise<Record<number, { chunks: number; vectors: number }>> => {
  const rows = await database.read({ groupId }, (tx) =>
    tx.query<{ generation: number; chunks: number; vectors: number }>(
      `select generation, sum(chunk)::int as chunks, sum(vector)::int as vectors from (
         select generation, 1 as chunk, 0 as vector from retrieval.chunk where document_id = $1
         union all select generation, 0, 1 from retrieval.vector_384 where document_id = $1) held
       group by generation`,
      [documentId],
    ),
  );
  return Object.fromEntries(rows.map(({ generation, chunks, vectors }) => [generation, { chunks, vectors }]));
};

/** The live generation; undefined without one. */
export const liveGeneration = async (
  { database }: Retrieval,
  groupId: string,
  documentId: string,
): Promise<number | undefined> => {
  const [row] = await database.read({ groupId }, (tx) =>
    tx.query<{ generation: number }>('select generation from retrieval.live where document_id = $1', [documentId]),
  );
  return row?.generation;
};
