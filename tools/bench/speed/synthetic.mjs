// Documents without files: generated texts and unit vectors, handed over as ingestion does.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { numbers, sentence } from '../texts.mjs';

const require = createRequire(import.meta.url);
const CHUNKS_A_DOCUMENT = 50;
const SENTENCES_A_CHUNK = 6;
const TOPICS = 256;
/** Documents per transaction, and the most documents ahead of the index. */
const AT_ONCE = 8;
const AHEAD = 64;
const REPORT_MS = 15_000;
const PATIENCE_MS = 120_000;

const about = (next) => next() + next() + next() - 1.5;

/** A vector of length 1 near the middle of its topic: passages of one document lie closer than those of two. */
export const unitVector = (topic, next, dimension) => {
  const middle = numbers(10_000 + topic);
  const vector = Float32Array.from({ length: dimension }, () => about(middle) + 0.8 * about(next));
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
};

/** The document of a number, always the same: its chunks, and their vectors in the format of the object. */
export const documentOf = (number, dimension) => {
  const next = numbers(number + 1);
  let start = 0;
  const chunks = Array.from({ length: CHUNKS_A_DOCUMENT }, (_, ordinal) => {
    const text = Array.from({ length: SENTENCES_A_CHUNK }, () => sentence(next)).join(' ');
    const chunk = { ordinal, page: null, start, end: start + text.length, text, context: '', language: 'es' };
    start = chunk.end + 2;
    return chunk;
  });
  const vectors = Buffer.concat(chunks.map(() => Buffer.from(unitVector(number % TOPICS, next, dimension).buffer)));
  return { chunks, vectors };
};

const openObjects = (variables) => {
  const { S3ObjectStore } = require('@acervo/platform-object-store/s3');
  const { Metrics } = require('@acervo/platform-observability');
  const settings = {
    ...{ endpoint: variables.ACERVO_S3_ENDPOINT, region: variables.ACERVO_S3_REGION },
    ...{ bucket: variables.ACERVO_S3_BUCKET, makesBucket: true },
    ...{ accessKey: variables.ACERVO_S3_ACCESS_KEY, secretKey: variables.ACERVO_S3_SECRET_KEY },
  };
  return new S3ObjectStore(settings, new Metrics('bench'));
};

/** The event for a prepared document, after its objects are stored. */
const prepare = async ({ objects, scope, entityCode, embeddingIndex }, number) => {
  const { encode, PreparedChunks } = require('@acervo/contracts');
  const { newObjectKey } = require('@acervo/platform-object-store');
  const { chunks, vectors } = documentOf(number, embeddingIndex.dimension);
  const [chunksObject, vectorsObject] = ['chunks', 'vectors'].map((kind) => newObjectKey(scope, kind));
  await objects.put(scope, chunksObject, Buffer.from(JSON.stringify(encode(PreparedChunks, { chunks }))));
  await objects.put(scope, vectorsObject, vectors);
  const name = `sintetico-${number}.txt`;
  return {
    ...{ documentId: randomUUID(), revision: 1, generation: 1, code: name, name, title: null, summary: 'Sintético' },
    ...{ entityCode, locationCode: 'L1', locationAncestors: ['L1'], homeVar: null, relativePath: name, path: name },
    ...{ origin: 'CARPETA', chunksObject, vectorsObject, chunkCount: chunks.length, embedding: [embeddingIndex] },
  };
};

/** Loads documents through the outbox of ingestion. */
export const openLoader = ({ running, variables, session, embeddingIndex }) => {
  const { documentPrepared } = require('@acervo/contracts');
  const { Database } = require('@acervo/platform-database');
  const { Outbox } = require('@acervo/platform-messaging');
  const { groupId, entityCode } = running.group;
  const [scope, outbox] = [{ groupId }, new Outbox('ingestion')];
  const database = new Database(running.connection('ingestion_app'));
  const parts = { objects: openObjects(variables), scope, entityCode, embeddingIndex };
  let published = 0;
  const publish = async (count) => {
    const facts = await Promise.all(Array.from({ length: count }, (_, index) => prepare(parts, published + index)));
    await database.write(scope, async (tx) => {
      for (const fact of facts) await outbox.append(tx, documentPrepared, fact);
    });
    published += count;
  };
  const loaded = async () => {
    const sql = 'select coalesce(sum(chunk_count), 0)::int as chunks from retrieval.live where group_id = $1';
    return (await session.under({ sql, params: [groupId] }))[0].chunks;
  };
  /**
   * Loads until a number of chunks is searchable; returns their number and the chunks per second.
   * @throws without progress
   */
  const loadUpTo = async (chunks, print) => {
    const [before, began] = [await loaded(), performance.now()];
    const documents = Math.ceil(chunks / CHUNKS_A_DOCUMENT);
    const perSecond = (now) => (now - before) / ((performance.now() - began) / 1_000);
    let [reportedAt, latest] = [began, { chunks: before, at: began }];
    for (; ; await pause(50)) {
      const now = await loaded();
      if (now > latest.chunks) latest = { chunks: now, at: performance.now() };
      if (performance.now() - latest.at > PATIENCE_MS) throw new Error(`No chunk came for two minutes after ${now}.`);
      if (now >= documents * CHUNKS_A_DOCUMENT) return { chunks: now, perSecond: perSecond(now) };
      const room = Math.min(documents, now / CHUNKS_A_DOCUMENT + AHEAD) - published;
      if (room > 0) await publish(Math.min(AT_ONCE, Math.ceil(room)));
      if (performance.now() - reportedAt < REPORT_MS) continue;
      reportedAt = performance.now();
      print(`  ${now} of ${chunks} chunks, ${perSecond(now).toFixed(0)} a second`);
    }
  };
  const close = async () => {
    parts.objects.close();
    await database.close();
  };
  return { loadUpTo, close };
};
