import { Injectable } from '@nestjs/common';
import {
  countContents,
  describeLocations,
  type ContentCounts,
  type ContentCountRequest,
  type KnownLocation,
  type KnownLocations,
  type LocationCodes,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';

const counted = (table: string): string => `(select count(*)::int from ingestion.${table} t where t.group_id = $1
  and t.deleted_at is null and ($2::text is null or t.entity_code = $2) and ($3::text[] is null or t.location_ancestors && $3)`;

/** Answers auth before it links a folder to an area, and before it deletes an entity or an area. */
@Injectable()
export class FolderContentsHandlers {
  constructor(private readonly database: Database) {}

  @Handles(describeLocations)
  describe(scope: Scope, { codes }: LocationCodes): Promise<KnownLocations> {
    return this.database.read(scope, async (tx) => ({
      locations: await tx.query<KnownLocation>(
        `select code, name, entity_code as "entityCode" from ingestion.location
         where group_id = $1 and code = any($2::text[]) and deleted_at is null order by code`,
        [scope.groupId, codes],
      ),
    }));
  }

  /** Counts regardless of visibility: what an administrator does not see exists all the same. */
  @Handles(countContents)
  count(scope: Scope, { entityCode, locationCodes }: ContentCountRequest): Promise<ContentCounts> {
    return this.database.read(scope, async (tx) => {
      const [counts] = await tx.query<ContentCounts>(
        `select ${counted('location')}) as locations, ${counted('document')}) as documents,
           (select count(*)::int from ingestion.document_type t where t.group_id = $1 and t.entity_code = $2
             and $3::text[] is null) as "documentTypes"`,
        [scope.groupId, entityCode ?? null, locationCodes ?? null],
      );
      return counts ?? { locations: 0, documents: 0, documentTypes: 0 };
    });
  }
}
