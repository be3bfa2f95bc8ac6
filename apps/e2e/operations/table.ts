import { allOperations, type Operation } from '@acervo/contracts';
import type { Installation } from './fixture';
import { requiredOf } from './inputs';
import { documentsOf, ownGroup, webLocationOf } from './own-group';

/** How the suite tries one declared operation. */
export interface Row {
  readonly code: string;
  readonly input: (installation: Installation) => Promise<object>;
  /** Fields that must accompany a field with an identifier of another group, by that field. */
  readonly beside?: Readonly<Record<string, object>>;
  /** Status of a repetition with the same input. */
  readonly again: 200 | 404 | 409;
}

/** Differences from the row that follows from the declaration. */
interface Difference {
  /** Additional fields, or replacements of required ones. */
  readonly with?: object | ((installation: Installation) => object | Promise<object>);
  readonly beside?: Row['beside'];
  readonly again?: Row['again'];
}

const document =
  (place: number) =>
  async (installation: Installation): Promise<object> => ({
    document_code: (await documentsOf(installation))[place] ?? '',
  });

const webLocation = async (installation: Installation): Promise<object> => ({
  location_code: await webLocationOf(installation),
});

/** Creations add a second thing of each kind beside the fixture; deletions delete it. */
const differences: Readonly<Record<string, Difference>> = {
  'areas.create': { with: { entity_code: 'E1', code: 'A2' }, again: 409 },
  'areas.delete': { with: { area_code: 'A2' } },
  'areas.list': { with: { entity_code: 'E1' } },
  'areas.update': { with: { name: 'Riego' } },
  'document_types.add_category': { again: 409 },
  'document_types.add_feature': { again: 409 },
  'document_types.create': { again: 409 },
  'document_types.delete': { with: { document_type_code: 'RECIBO' } },
  'document_types.remove_category': { with: { category_code: 'IMPORTES' } },
  'document_types.remove_feature': { with: { feature_code: 'FIRMA' } },
  'document_types.set_boundary': { with: { includes: 'Actas de reuniones.' } },
  'document_types.update': { with: { name: 'Acta de reunión' } },
  'document_types.update_category': { with: { name: 'Días' } },
  'document_types.update_feature': { with: { name: 'Día de la reunión' } },
  'documents.delete': { with: document(2) },
  'documents.report_missing': { with: document(1) },
  'documents.revert': { with: { status: 'EXTRACTED' } },
  'entities.create': { with: { code: 'E2' }, again: 409 },
  'entities.delete': { with: { entity_code: 'E2' } },
  'group_processes.create': { beside: { document_type_code: { trigger: 'DOCUMENT_CLASSIFIED' } }, again: 409 },
  'group_processes.delete': { with: { process_code: 'REVISAR' } },
  'group_processes.update': {
    with: { name: 'Renovar contratos' },
    beside: { document_type_code: { trigger: 'DOCUMENT_CLASSIFIED' } },
  },
  'group_tasks.create': { again: 409 },
  'group_tasks.delete': { with: { task_code: 'LEER' } },
  'group_tasks.update': { with: { name: 'Firmar en papel' } },
  'groups.update_parameters': { with: { parameters: [{ parameter_code: 'LANGUAGE', value: 'en' }] } },
  'locations.create': { with: ({ third }) => ({ path: third, entity_code: 'E1' }) },
  'locations.materialize_web': { with: webLocation },
  'locations.research_web': { with: webLocation },
  'locations.review_web': { with: webLocation },
  'locations.update': { with: { name: 'second folder' } },
  'processes.delete': { with: { process_code: 'P2' } },
  'processes.update': { with: { name: 'Renovar el contrato' } },
  'spaces.create': { with: { criteria: { name: 'padron*' } } },
  // The creations made others.
  'spaces.delete': { with: { space_id: ownGroup.space + 1 } },
  'spaces.promote': { again: 409 },
  'spaces.set_criteria': { with: { criteria: { name: 'acta*' } } },
  'spaces.update': { with: { name: 'Actas del riego' } },
  'parameters.update_group': { with: { parameter_code: 'CONTACT', value: 'secretaria' } },
  'users.add_entity': { again: 409 },
  'users.add_role': { again: 409 },
  'users.create': { with: { role_code: 'USER' }, again: 409 },
  'users.delete': { with: { code: 'nueva@example.org' } },
  'users.update': {
    with: { name: 'Otra' },
    // An area is looked up in an entity of the user.
    beside: { default_area: { code: 'admin@acervo.local', default_entity: 'E1' } },
  },
};

const TAKES_AWAY = /\.(delete|remove_\w+)$/;

const rowOf = ({ code, input: type }: Operation): Row => {
  const { with: more = {}, beside, again } = differences[code] ?? {};
  return {
    code,
    input: async (installation) => ({
      ...(await requiredOf(installation, type)),
      ...(typeof more === 'function' ? await more(installation) : more),
    }),
    ...(beside === undefined ? {} : { beside }),
    again: again ?? (TAKES_AWAY.test(code) ? 404 : 200),
  };
};

const kinds = ['read', 'write', 'write_confirm'] as const;

/** Every declared operation: reads first, then writes, then those with a confirmation. */
export const table: readonly Row[] = kinds.flatMap((kind) =>
  allOperations()
    .filter((operation) => operation.kind === kind)
    .map(rowOf),
);

/** Differences without a declared operation. */
export const staleDifferences = (): string[] =>
  Object.keys(differences).filter((code) => table.every((row) => row.code !== code));
