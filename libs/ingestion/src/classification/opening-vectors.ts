import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Embedders, normalise } from '@acervo/models';
import type { TenantScope, Transaction } from '@acervo/platform-database';
import { ResultStore, type UsedResult } from '../document-state/result.store';
import { CLASSIFY } from '../kernel/stages';
import { Cpu } from '../cpu/cpu';
import { EMBED_TEXTS } from '../embedding/vector-jobs';

/** Rises when the text that is embedded changes. */
const VERSION = 1;

/** The vector of the title and the opening of a document, and the result to remember with it. */
export interface OpeningVector {
  readonly vector: Float32Array;
  readonly used: UsedResult;
}

const bytesOf = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
const vectorOf = (bytes: string): Float32Array =>
  new Float32Array(Uint8Array.from(Buffer.from(bytes, 'base64')).buffer);

/** Texts of boundaries whose vectors a process remembers. */
const REMEMBERED_TEXTS = 1_000;

/**
 * Embeds title and opening of documents, once for each content, group and embedder, and the texts of boundaries. All
 * vectors have length 1.
 */
@Injectable()
export class OpeningVectors {
  private readonly ofTexts = new Map<string, Float32Array>();

  constructor(
    private readonly cpu: Cpu,
    private readonly embedders: Embedders,
    private readonly results: ResultStore,
  ) {}

  /** Whether the embedder in use is available at this start. */
  get isPossible(): boolean {
    return this.embedders.targetRuns;
  }

  /** The vectors that are remembered of these contents, by content. */
  async remembered(tx: Transaction, contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const rows = await tx.query<{ contentHash: string; vector: string }>(
      `select content_hash as "contentHash", value ->> 'vector' as vector from ingestion.step_result
       where group_id = $1 and stage = $2 and key = any($3::text[])`,
      [tx.groupId, CLASSIFY.name, contentHashes.map((contentHash) => this.keyOf(contentHash))],
    );
    return new Map(rows.map(({ contentHash, vector }) => [contentHash, vectorOf(vector)]));
  }

  /** @throws EmbedderFailure */
  async of(scope: TenantScope, contentHash: string, opening: string): Promise<OpeningVector> {
    const id = { stage: CLASSIFY.name, key: this.keyOf(contentHash), contentHash };
    const { value, used } = await this.results.reuse(scope, id, async () => ({
      vector: bytesOf(await this.embed(opening)),
    }));
    return { vector: vectorOf(value.vector), used };
  }

  /** The vector of a text of a boundary, remembered for its group alone. @throws EmbedderFailure */
  async ofText({ groupId }: TenantScope, text: string): Promise<Float32Array> {
    const key = `${groupId}/${this.keyOf(text)}`;
    const vector = this.ofTexts.get(key) ?? (await this.embed(text));
    this.ofTexts.delete(key);
    this.ofTexts.set(key, vector);
    for (const oldest of this.ofTexts.keys()) if (this.ofTexts.size > REMEMBERED_TEXTS) this.ofTexts.delete(oldest);
    return vector;
  }

  /** Names the embedder in use. */
  get embedderKey(): string {
    return this.keyOf('');
  }

  /** Mean cosine of unrelated passages under the embedder in use. */
  get floor(): number {
    return this.embedders.target.embeddingModel.floor;
  }

  private keyOf(contentHash: string): string {
    const { model, revision, dimension } = this.embedders.target.embeddingModel;
    const parts = [VERSION, model, revision, dimension, contentHash];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  }

  private async embed(opening: string): Promise<Float32Array> {
    const { target } = this.embedders;
    const texts = [opening];
    const [vector] = target.remote
      ? await target.embed(texts, 'passage')
      : await this.cpu.run(EMBED_TEXTS, { texts, embedder: target.embeddingModel.model });
    if (vector === undefined) throw new Error('The embedder answered no vector.');
    return normalise(vector);
  }
}
