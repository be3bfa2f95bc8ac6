import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { Choice, Code, Fraction, Int, ListOf, Meaningful, Moment, Text } from '../fields';
import type { DocumentItem } from './documents';

/** The inputs and answers of `/documentos`, which present calls of this folder. */
export class EarlierDocumentReference {
  @Code({ wire: 'codigo', names: 'document', description: 'Document code' }) readonly documentCode!: string;
}

class EarlierDocumentPage {
  @Int({ min: 1, max: 1_000_000, default: 1, description: 'Page, from 1' }) readonly page!: number;
  @Int({ min: 1, max: 100, default: 20, description: 'Documents per page' }) readonly limit!: number;
}

export class EarlierDocumentListRequest extends EarlierDocumentPage {
  @Choice(documentStatus.internalCodes, {
    ...{ publicly: documentStatus, wire: 'codigo_estado_doc', optional: true },
    description: 'Only documents in this state',
  })
  readonly status?: DocumentStatus;
}

/** A document as the web application reads it. */
class EarlierDocument {
  @Code({ wire: 'codigo', description: 'Document code' }) readonly code!: string;
  @Text({ wire: 'nombre', max: 1024, description: 'Document name' }) readonly name!: string;
  @Choice(documentStatus.internalCodes, {
    ...{ publicly: documentStatus, wire: 'codigo_estado_doc' },
    description: 'State of the document',
  })
  readonly status!: DocumentStatus;
  @Text({ wire: 'resumen', max: 4000, nullable: true, description: 'Summary, null until there is one' })
  readonly summary!: string | null;
  @Text({ wire: 'ubicacion', max: 4096, description: 'Logical path of the original' }) readonly location!: string;
  @Code({ wire: 'codigo_ubicacion', description: 'Code of the folder' }) readonly locationCode!: string;
  @Code({ wire: 'codigo_entidad', description: 'Code of the entity' }) readonly entityCode!: string;
  @Code({ wire: 'codigo_tipo_documento', optional: true, nullable: true, description: 'Code of its document type' })
  readonly documentTypeCode?: string | null;
  @Text({ wire: 'url', max: 4096, description: 'Opens the document' }) readonly url!: string;
  @Moment({ wire: 'fecha_modificacion', description: 'When the content was last seen to change' })
  readonly updatedAt!: string;
}

export class EarlierDocuments extends EarlierDocumentPage {
  @ListOf(() => EarlierDocument, { max: 100, description: 'Documents of this page' })
  readonly items!: readonly DocumentItem[];
  @Int({ description: 'Visible documents that match' }) readonly total!: number;
}

export class EarlierDocumentDetail extends EarlierDocument {
  @Text({ wire: 'motivo', max: 500, nullable: true, description: 'Why the document failed or is not supported' })
  readonly reason!: string | null;
  @Text({ wire: 'idioma', max: 12, nullable: true, description: 'Language of the text' })
  readonly language!: string | null;
  @Int({ wire: 'tamano_bytes', description: 'Size of the original in bytes' }) readonly sizeBytes!: number;
  @Int({ wire: 'paginas', nullable: true, description: 'Pages, null until the text is extracted' })
  readonly pages!: number | null;
  @Int({ wire: 'total_fragmentos', nullable: true, description: 'Chunks, null until the text is cut' })
  readonly chunkCount!: number | null;
  @Moment({ wire: 'fecha_creacion', description: 'When the document was first seen' }) readonly createdAt!: string;
}

export class EarlierSearchRequest {
  @Meaningful({ wire: 'q', max: 4000, description: 'What to look for, in any language' }) readonly query!: string;
  @Int({ min: 1, max: 100, default: 10, description: 'Most documents to return' }) readonly limit!: number;
}

/** A found document with its best passage. */
export class EarlierFoundDocument {
  @Code({ wire: 'codigo_documento', description: 'Document code' }) readonly code!: string;
  @Text({ wire: 'nombre', max: 1024, description: 'Document name' }) readonly name!: string;
  @Fraction({ wire: 'similitud_max', nullable: true, description: 'Best vector similarity among its chunks' })
  readonly maxSimilarity!: number | null;
  @Text({ wire: 'texto', max: 100_000, nullable: true, description: 'Its best passage, null without one' })
  readonly text!: string | null;
  @Int({ wire: 'pagina', min: 1, nullable: true, description: 'Page of the passage, null without pages' })
  readonly page!: number | null;
}

export class EarlierSearchResult {
  @ListOf(() => EarlierFoundDocument, { wire: 'resultados', max: 100, description: 'Documents, best first' })
  readonly results!: readonly EarlierFoundDocument[];
}
