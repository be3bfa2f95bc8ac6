import { Injectable } from '@nestjs/common';
import {
  type CatalogCharacteristic,
  type CatalogCharacteristics,
  type CatalogDocumentType,
  type CatalogDocumentTypes,
  type CatalogTypesRequest,
  type CharacteristicsRequest,
  listCatalogDocumentTypes,
  listCharacteristics,
  MOST_DOCUMENT_TYPES,
  MOST_FEATURES,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { DocumentTypeStore } from './document-type.store';

/** Types of the group and of the entities \`$2\`. */
const VISIBLE = `t.group_id = $1 and (t.entity_code is null or t.entity_code = any($2::text[]))`;

/** The codes by which callers filter documents, for the documents within their visibility. */
@Injectable()
export class CatalogHandlers {
  constructor(
    private readonly database: Database,
    private readonly types: DocumentTypeStore,
  ) {}

  @Handles(listCatalogDocumentTypes)
  async listTypes(scope: Scope, { entityCode }: CatalogTypesRequest): Promise<CatalogDocumentTypes> {
    const { entities } = visibilityOf(scope, { entityCode });
    const documentTypes = await this.database.read(scope, (tx) =>
      tx.query<CatalogDocumentType>(
        `select t.code, t.name, t.parent_code as "parentCode" from ingestion.document_type t where ${VISIBLE}
         order by t.code collate "C" limit ${MOST_DOCUMENT_TYPES}`,
        [scope.groupId, entities],
      ),
    );
    return { documentTypes };
  }

  @Handles(listCharacteristics)
  async listCharacteristics(scope: Scope, request: CharacteristicsRequest): Promise<CatalogCharacteristics> {
    const { documentTypes, entityCode } = request;
    const { entities } = visibilityOf(scope, { entityCode });
    const characteristics = await this.database.read(scope, async (tx) => {
      const tree = documentTypes === undefined ? undefined : await this.types.tree(tx);
      const isVisible = (code: string): boolean => {
        const entity = tree?.find(code)?.entityCode ?? null;
        return entity === null || entities.includes(entity);
      };
      // A type of another entity may stand below a type that the caller sees: it answers as an unknown one.
      const within = tree === undefined ? null : documentTypes?.filter(isVisible).flatMap((code) => tree.upwards(code));
      return tx.query<CatalogCharacteristic>(
        `select f.category_code as "categoryCode", f.code, c.kind from ingestion.feature f
         join ingestion.feature_category c on c.group_id = f.group_id and c.code = f.category_code
         join ingestion.document_type t on t.group_id = c.group_id and t.code = c.type_code
         where f.group_id = $1 and ${VISIBLE} and ($3::text[] is null or t.code = any($3))
         order by f.category_code collate "C", f.code collate "C" limit ${MOST_FEATURES}`,
        [scope.groupId, entities, within],
      );
    });
    return { characteristics };
  }
}
