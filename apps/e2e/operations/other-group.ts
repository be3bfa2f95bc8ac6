import { join } from 'node:path';
import type { GroupThing } from '@acervo/contracts';
import type { Answer } from '../harness/http-client';
import { write } from '../harness/program';
import { until } from '../harness/waiting';
import { People } from '../harness/people';
import type { Installation } from './fixture';

/** What the other group has and the tested group lacks, by identifier. */
export const foreign = {
  area: 'A9',
  document: 'D10008',
  document_type: 'TIPO_AJENO',
  entity: 'E9',
  feature: 'RASGO_AJENO',
  feature_category: 'CATEGORIA_AJENA',
  /** Placeholder of its code, which is unknown before its registration. */
  group: '(other group)',
  group_process: 'PROCESO_AJENO',
  group_task: 'TAREA_AJENA',
  location: 'L10008',
  process: 'P12',
  role: 'NINGUNO',
  root: 'L10008',
  run: 24,
  space: 12,
  user: 'x@example.org',
} as const satisfies Partial<Record<GroupThing, string | number>>;

const NINE = Array.from({ length: 9 }, (_, index) => index);
const OTHER = 'otra@example.org';

type Run = (code: string, input?: object) => Promise<Answer['body']>;

/** Creates all of it in the other group; returns the function that runs operations as that group. */
export const furnish = async (installation: Installation, key: string, folder: string): Promise<Run> => {
  const headers = { authorization: `Bearer ${key}` };
  const run: Run = async (code, input = {}) => {
    const { status, body } = await installation.run(code, { input, confirm: true }, headers);
    if (status !== 200) throw new Error(`${code} of the other group answered ${status}: ${JSON.stringify(body)}`);
    return body['result'] as Answer['body'];
  };
  write(folder, Object.fromEntries(NINE.map((n) => [join(n === 0 ? '' : `c${n}`, `d${n}.txt`), `Texto ajeno ${n}.`])));
  await run('entities.create', { code: foreign.entity, name: 'Ajena' });
  await run('areas.create', { entity_code: foreign.entity, code: foreign.area, name: 'Ajena' });
  await run('users.create', { code: foreign.user, name: 'Ajena' });
  const named = { name: 'Ajena', description: 'Ajena' };
  await run('document_types.create', { code: foreign.document_type, ...named });
  const category = { code: foreign.feature_category, document_type_code: foreign.document_type };
  await run('document_types.add_category', { ...category, ...named, kind: 'CHARACTERISTIC' });
  await run('document_types.add_feature', { category_code: category.code, code: foreign.feature, name: 'Ajena' });
  for (let space = 1; space <= foreign.space; space += 1) await run('spaces.create', { name: 'Ajena' });
  const definition = { process_code: foreign.group_process };
  await run('group_processes.create', { ...definition, name: 'Ajena' });
  await run('group_tasks.create', { ...definition, task_code: foreign.group_task, name: 'Ajena' });
  for (let process = 1; process <= 12; process += 1)
    await run('group_processes.update', { ...definition, start: true });
  const people = new People(installation.program);
  const session = await installation.program.ask('GET', '/v1/session', undefined, headers);
  const role = {
    codigo: foreign.role,
    nombre: 'x',
    tipo_acceso: 'USUARIO',
    codigo_grupo: session.body['group_code'],
  };
  await people.ask('POST', '/roles', role, await people.tokenOf(OTHER));
  const { location_code } = await run('locations.create', { path: folder, entity_code: 'E1' });
  for (let done = 1; done < foreign.run; done += 1) await run('locations.sync', { location_code });
  await until('the other group is searchable', async () => {
    const { counts } = await run('documents.count_by_status');
    return JSON.stringify(counts).includes(`"VECTORIZED","documents":${NINE.length}`);
  });
  return run;
};

export const otherAdministrator = OTHER;

/**
 * The other group's answers about everything that the tested group is denied: the folder, the document and the role by
 * name.
 */
export const foreignThings = (other: Run): Promise<readonly Answer['body'][]> => {
  const { entity, document, run, user, document_type, space } = foreign;
  return Promise.all([
    other('areas.list', { entity_code: entity }),
    other('locations.list', { limit: 100 }),
    other('documents.get', { document_code: document }),
    other('queue.list_run', { run }),
    other('document_types.list'),
    other('document_types.list_categories', { document_type_code: document_type }),
    other('document_types.list_features', { category_code: foreign.feature_category }),
    other('spaces.list_documents', { space_id: space }),
    other('group_tasks.list', { process_code: foreign.group_process }),
    other('processes.get', { process_code: foreign.process }),
    other('users.list_roles', { code: user }),
    other('roles.list'),
  ]);
};
