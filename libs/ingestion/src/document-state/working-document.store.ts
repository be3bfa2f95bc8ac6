import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import type { ExtractionReport } from '@acervo/extraction';
import type { EmbeddingModel } from '@acervo/models';
import type { DocumentStatus } from '@acervo/public-mapping';
import { EARLIER, type EarlierVectors } from './earlier-vectors.store';

/** A document that is not counted, in a group whose corpus is limited. */
const AWAITS_PAGES = `(d.corpus_pages is null and d.handed_over is null and exists (
             select from ingestion.corpus c
             where c.group_id = d.group_id and c.included is not null and c.on_limit = 'BLOCK'))`;

/** A document as a step sees it. */
export interface WorkingDocument {
  readonly documentId: string;
  readonly generation: number;
  readonly status: DocumentStatus;
  readonly name: string;
  /** Bytes, as the last scan or reading found it. */
  readonly size: number;
  readonly path: string;
  readonly entityCode: string;
  readonly title: string | null;
  readonly language: string | null;
  /** Of the taxonomy of the group, when the batch began; null while the group describes no types. */
  readonly taxonomyVersion: number | null;
  readonly rootPath: string;
  readonly relativePath: string;
  readonly contentHash: string | null;
  readonly originalObject: string | null;
  readonly textObject: string | null;
  readonly chunksObject: string | null;
  /** Null until it is cut. */
  readonly chunkCount: number | null;
  /** The vectors of the chunks in `chunksObject`. */
  readonly vectorsObject: string | null;
  readonly earlier: EarlierVectors | null;
  /** Whether its last extraction found attachments. */
  readonly isCarrier: boolean;
  /** From 1, worked first, to 9. */
  readonly order: number;
  /** Of its text; null until it is read. */
  readonly pages: number | null;
  /** A limit of the group includes its pages or not; they are not counted so far. */
  readonly awaitsPages: boolean;
}

/** A column that an earlier step must have filled. */
export const filled = (value: string | null): string => {
  if (value === null) throw new Error('An earlier step left nothing to work on.');
  return value;
};

/** The columns that a step changes. */
export interface DocumentPatch {
  readonly contentHash?: string;
  readonly size?: number;
  readonly mtime?: string;
  readonly originalObject?: string;
  readonly textObject?: string;
  readonly title?: string | null;
  readonly author?: string | null;
  /** The date of the last change that the file states: ISO 8601 in UTC. */
  readonly statedAt?: string | null;
  readonly language?: string | null;
  readonly pages?: number;
  readonly extractionReport?: ExtractionReport;
  readonly summary?: string;
  readonly chunksObject?: string;
  readonly chunkCount?: number;
  readonly chunksDigest?: string | null;
  readonly vectorsObject?: string | null;
  readonly embedding?: EmbeddingModel;
  readonly vectorsVersion?: number | null;
}

/** The columns that steps write, by property, with their types. */
const COLUMNS: Readonly<Record<keyof DocumentPatch, readonly [column: string, type: string]>> = {
  contentHash: ['content_hash', 'text'],
  size: ['size', 'bigint'],
  mtime: ['mtime', 'text'],
  originalObject: ['original_object', 'text'],
  textObject: ['text_object', 'text'],
  title: ['title', 'text'],
  author: ['author', 'text'],
  statedAt: ['stated_at', 'timestamptz'],
  language: ['language', 'text'],
  pages: ['pages', 'int'],
  extractionReport: ['extraction_report', 'jsonb'],
  summary: ['summary', 'text'],
  chunksObject: ['chunks_object', 'text'],
  chunkCount: ['chunk_count', 'int'],
  chunksDigest: ['chunks_digest', 'text'],
  vectorsObject: ['vectors_object', 'text'],
  embedding: ['embedding', 'jsonb'],
  vectorsVersion: ['vectors_version', 'int'],
};

/** The column of a property. */
export const columnOf = (property: keyof DocumentPatch): string => COLUMNS[property][0];

const isColumn = (property: string): property is keyof DocumentPatch => property in COLUMNS;

/** The properties of a patch that are columns, in one order for all patches. */
export const columnsOf = (patch: DocumentPatch): (keyof DocumentPatch)[] => Object.keys(patch).filter(isColumn).sort();

/** The states before and after a step. */
export interface Advance {
  readonly from: DocumentStatus;
  readonly to: DocumentStatus;
}

/** What steps made of a document, from one state to another. */
export interface Output extends Advance {
  readonly document: Pick<WorkingDocument, 'documentId' | 'generation'>;
  readonly patch: DocumentPatch;
}

const rowOf = ({ documentId: id, generation: made }: Output['document'], patch: DocumentPatch): object => ({
  ...patch,
  ...{ id, made },
});

export interface Refusal {
  readonly status: DocumentStatus;
  readonly reason: string;
  readonly retryOnScan: boolean;
}

/** Documents as the steps read and write them. A write for another generation or another state does nothing. */
@Injectable()
export class WorkingDocumentStore {
  constructor(private readonly database: BackgroundDatabase) {}

  /** The documents of a batch, by id. */
  async find(scope: TenantScope, ids: readonly string[]): Promise<ReadonlyMap<string, WorkingDocument>> {
    const rows = await this.database.read(scope, (tx) =>
      tx.prepared<WorkingDocument>(
        `select d.document_id as "documentId", d.generation, d.status, d.name, d.size::float8 as size, r.root_path as "rootPath",
           d.relative_path as "relativePath", d.content_hash as "contentHash", d.original_object as "originalObject",
           d.text_object as "textObject", d.chunks_object as "chunksObject", d.chunk_count as "chunkCount", d.vectors_object as "vectorsObject",
           d.ingestion_order as "order", d.path, d.entity_code as "entityCode", d.title, d.language, d.pages,
           ${AWAITS_PAGES} as "awaitsPages",
           (select x.version::float8 from ingestion.taxonomy x where x.group_id = d.group_id) as "taxonomyVersion", ${EARLIER.column},
           exists (select from ingestion.document c where c.group_id = d.group_id and c.parent_id = d.document_id) as "isCarrier"
         from ingestion.document d join ingestion.location r on r.group_id = d.group_id and r.code = d.root_code
         ${EARLIER.join}
         where d.group_id = $1 and d.document_id = any($2::uuid[])`,
        [scope.groupId, ids],
      ),
    );
    return new Map(rows.map((row) => [row.documentId, row]));
  }

  /**
   * Writes the outputs of steps, one statement for all that change the same columns. Answers the replaced objects by
   * document; a document that changed meanwhile is left out.
   */
  async advance(tx: Transaction, outputs: readonly Output[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const alike = new Map<string, Output[]>();
    for (const output of outputs) {
      const name = [output.from, output.to, ...columnsOf(output.patch)].join();
      alike.set(name, [...(alike.get(name) ?? []), output]);
    }
    const replaced = new Map<string, readonly string[]>();
    for (const some of alike.values())
      for (const { id, objects } of await this.advanceAlike(tx, some)) replaced.set(id, objects);
    return replaced;
  }

  /** Outputs with the same states and columns. */
  private async advanceAlike(
    tx: Transaction,
    outputs: readonly Output[],
  ): Promise<{ readonly id: string; readonly objects: readonly string[] }[]> {
    const [first] = outputs;
    if (first === undefined) return [];
    const { from, to } = first;
    const columns = columnsOf(first.patch).map((property) => [property, ...COLUMNS[property]] as const);
    const types = columns.map(([property, , type]) => `"${property}" ${type}`);
    const sets = columns.map(([property, column]) => `${column} = given."${property}"`);
    const replaced = columns
      .map(([, column]) => column)
      .filter((column) => column.endsWith('_object'))
      .map((column) => `case when old.${column} is distinct from new.${column} then old.${column} end`);
    const rows = await tx.prepared<{ id: string; replaced: (string | null)[] }>(
      `update ingestion.document d set ${['status = $4', 'reason = null', 'updated_at = now()', ...sets].join(', ')}
       from jsonb_to_recordset($2::jsonb) as given (${['id uuid', 'made int', ...types].join(', ')})
       where d.group_id = $1 and d.document_id = given.id and d.generation = given.made and d.status = $3
       returning d.document_id as id, array[${replaced.join(', ')}]::text[] as replaced`,
      [tx.groupId, JSON.stringify(outputs.map(({ document, patch }) => rowOf(document, patch))), from, to],
    );
    return rows.map(({ id, replaced: objects }) => ({ id, objects: objects.filter((key) => key !== null) }));
  }

  /** Fails a document with a reason; its searchable content stays searchable. */
  async fail(tx: Transaction, documentId: string, generation: number, refusal: Refusal): Promise<boolean> {
    const rows = await tx.query(
      `update ingestion.document set status = $4, reason = $5, retry_on_scan = $6, failed_at = now(), updated_at = now()
       where group_id = $1 and document_id = $2 and generation = $3 and status <> 'NO_ENCONTRADO' returning code`,
      [tx.groupId, documentId, generation, refusal.status, refusal.reason, refusal.retryOnScan],
    );
    return rows.length > 0;
  }
}
