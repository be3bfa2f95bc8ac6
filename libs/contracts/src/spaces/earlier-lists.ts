import { spaceType, type SpaceType } from '@acervo/public-mapping';
import { Choice, Code, Flag, Int, ListOf, Moment, Text } from '../fields';
import type { SpaceDocument } from './documents';
import { type Space, SPACE_NUMBER } from './spaces';

/** The inputs and answers of `/espacios-trabajo`, which present calls of this folder. */
export class EarlierSpaceReference {
  @Int({ ...SPACE_NUMBER, wire: 'id', description: 'Number of the space' }) readonly spaceId!: number;
}

export class EarlierPageRequest {
  @Int({ min: 1, max: 10_000, default: 1, description: 'Page, from 1' }) readonly page!: number;
  @Int({ min: 1, max: 200, default: 50, description: 'Items per page' }) readonly limit!: number;
}

class EarlierPage extends EarlierPageRequest {
  @Int({ description: 'Items of all pages' }) readonly total!: number;
}

/** A space as the web application reads it. */
class EarlierSpace {
  @Int({ wire: 'id', min: 1, description: 'Number of the space' }) readonly spaceId!: number;
  @Text({ wire: 'nombre', max: 200, description: 'Name' }) readonly name!: string;
  @Text({ wire: 'descripcion', max: 2_000, description: 'What the space is for' }) readonly description!: string;
  @Choice(spaceType.internalCodes, { publicly: spaceType, wire: 'tipo', description: 'AREA, or ESPACIO: shared' })
  readonly type!: SpaceType;
  @Code({ wire: 'codigo_entidad', nullable: true, description: 'Its entity; null for the whole group' })
  readonly entityCode!: string | null;
  @Flag({ wire: 'es_propio', description: 'The caller owns the space' }) readonly isOwn!: boolean;
  @Int({ wire: 'total_documentos', description: 'Documents that the caller sees' }) readonly documentCount!: number;
  @Flag({ wire: 'desactualizado', description: 'What it is made of changed since' }) readonly isStale!: boolean;
  @Moment({ wire: 'fecha_actualizacion', nullable: true, description: 'When its documents were gathered' })
  readonly refreshedAt!: string | null;
  @Moment({ wire: 'fecha_creacion', description: 'When the space was created' }) readonly createdAt!: string;
  @Moment({ wire: 'fecha_modificacion', description: 'When name, type or criteria changed' })
  readonly updatedAt!: string;
}

class EarlierSpaceDocument {
  @Code({ wire: 'codigo', description: 'Document code' }) readonly code!: string;
  @Text({ wire: 'nombre', max: 1024, description: 'Document name' }) readonly name!: string;
  @Text({ wire: 'resumen', max: 4000, description: 'Summary' }) readonly summary!: string;
  @Text({ wire: 'ubicacion', max: 4096, description: 'Logical path of the original' }) readonly location!: string;
  @Text({ wire: 'url', max: 4096, description: 'Opens the document' }) readonly url!: string;
  @Code({ wire: 'codigo_tipo_documento', nullable: true, description: 'Code of its document type' })
  readonly documentTypeCode!: string | null;
}

export class EarlierSpaces extends EarlierPage {
  @ListOf(() => EarlierSpace, { max: 200, description: 'Spaces, the latest first' }) readonly items!: readonly Space[];
}

export class EarlierSpaceDocuments extends EarlierPage {
  @ListOf(() => EarlierSpaceDocument, { max: 200, description: 'Documents by code' })
  readonly items!: readonly SpaceDocument[];
}
