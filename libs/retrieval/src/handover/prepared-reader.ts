import { Injectable } from '@nestjs/common';
import { languageNamed, passageTerms } from '@acervo/analysis';
import { type DocumentPrepared, PreparedChunks, revive } from '@acervo/contracts';
import type { TenantScope } from '@acervo/platform-database';
import { ObjectStore } from '@acervo/platform-object-store';
import type { LoadedChunk, LoadedVector } from './chunk.store';

/** The numbers of one vector, from little-endian float32. */
const vectorAt = (bytes: Buffer, index: number, dimension: number): Float32Array =>
  Float32Array.from({ length: dimension }, (_, place) => bytes.readFloatLE((index * dimension + place) * 4));

/** The vectors of chunks, in the order of their ordinals. @throws where there are more or fewer than chunks */
export const vectorsIn = (bytes: Buffer, chunkCount: number, dimension: number): LoadedVector[] => {
  if (bytes.length !== chunkCount * dimension * 4)
    throw new Error('The vectors of a hand-over do not belong to its chunks.');
  return Array.from({ length: chunkCount }, (_, ordinal) => ({ ordinal, vector: vectorAt(bytes, ordinal, dimension) }));
};

/** Reads the hand-over of a document: chunks with their terms and vectors. */
@Injectable()
export class PreparedReader {
  constructor(private readonly objects: ObjectStore) {}

  async read(scope: TenantScope, fact: DocumentPrepared, dimension: number): Promise<LoadedChunk[]> {
    const [chunksBytes, vectors] = await Promise.all([
      this.objects.get(scope, fact.chunksObject),
      fact.vectorsObject === null ? null : this.objects.get(scope, fact.vectorsObject),
    ]);
    const { chunks } = revive(PreparedChunks, JSON.parse(chunksBytes.toString('utf8')));
    const read = vectors === null ? null : vectorsIn(vectors, chunks.length, dimension);
    return chunks.map((chunk, index) => ({
      ...chunk,
      terms: passageTerms({ ...chunk, language: languageNamed(chunk.language) }, fact).join(' '),
      vector: read?.[index]?.vector ?? null,
    }));
  }
}
