// The least cost of ingestion: the same texts chunked, embedded and written into the same indexes.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Chunks per transaction, as in ingestion. */
const SLICE = 8;
let bucket = 900_000;

const rowsOf = async (text, name, embedder) => {
  const { chunk, defaultChunkOptions, passageTerms } = require('@acervo/analysis');
  const chunks = chunk(
    { text, pages: [], headings: [], tables: [], title: null, author: null, language: null, date: null },
    defaultChunkOptions,
  );
  const vectors = await embedder.embed(
    chunks.map(({ context, text: passage }) => (context === '' ? passage : `${context}\n${passage}`)),
    'passage',
  );
  return chunks.map((each, index) => ({
    ...each,
    terms: passageTerms(each, { name, title: null }).join(' '),
    vector: vectors[index],
  }));
};

/** Chunks a second, written within a group and into new partitions with their indexes. */
export const bareSpeed = async (running, files) => {
  const { Database, Provisioner } = require('@acervo/platform-database');
  const { ChunkStore, partitionsOf } = require('@acervo/retrieval');
  const { embedderByName } = require('@acervo/models');
  const embedder = embedderByName('hashing');
  const { dimension } = embedder.embeddingModel;
  const provisioner = new Provisioner(running.connection('retrieval_owner'));
  const database = new Database(running.connection('retrieval_app'));
  const scope = { groupId: randomUUID() };
  bucket += 1;
  try {
    for (const partition of partitionsOf(bucket, dimension)) await provisioner.ensurePartition(partition);
    const store = new ChunkStore();
    const embeddingIndex = { indexId: 1, bucket, dimension };
    let written = 0;
    const started = performance.now();
    for (const file of files) {
      const rows = await rowsOf(readFileSync(file, 'utf8'), file, embedder);
      const generation = { documentId: randomUUID(), generation: 1, embeddingIndex };
      for (let from = 0; from < rows.length; from += SLICE)
        await database.write(scope, (tx) => store.load(tx, generation, rows.slice(from, from + SLICE)));
      written += rows.length;
    }
    return { perSecond: written / ((performance.now() - started) / 1000), chunks: written };
  } finally {
    await Promise.all([provisioner.close(), database.close()]);
  }
};
