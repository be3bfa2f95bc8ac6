import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope } from '@acervo/platform-database';

/** What a site last answered for the page of a document. */
export interface WebContent {
  readonly object: string;
  readonly hash: string;
  readonly size: number;
}

/** The stored pages of documents of the web. */
@Injectable()
export class WebContentStore {
  constructor(private readonly database: BackgroundDatabase) {}

  /** Undefined where nothing is stored: the next refresh stores it. */
  async of(scope: TenantScope, documentId: string): Promise<WebContent | undefined> {
    const [row] = await this.database.read(scope, (tx) =>
      tx.query<WebContent>(
        `select p.object, p.content_hash as hash, p.size::float8 as size
         from ingestion.document d
         join ingestion.web_page p on p.group_id = d.group_id and p.location_code = d.root_code and p.url = d.url
         where d.group_id = $1 and d.document_id = $2 and p.object is not null`,
        [scope.groupId, documentId],
      ),
    );
    return row;
  }

  /** Forgets pages whose objects the store lost, so that the next refresh fetches them whole. */
  async forget(scope: TenantScope, objects: readonly string[]): Promise<void> {
    await this.database.write(scope, (tx) =>
      tx.query(
        `update ingestion.web_page set object = null, content_hash = null, etag = null, last_modified = null
         where group_id = $1 and object = any($2::text[])`,
        [scope.groupId, objects],
      ),
    );
  }
}
