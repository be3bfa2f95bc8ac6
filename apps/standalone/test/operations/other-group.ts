import { join } from 'node:path';
import type { Answer } from '../program';
import { until, write } from '../program';
import { People } from './people';
import type { Installation } from './fixture';

/** What another group has and the group of the suite has not: every identifier that operations are tried with. */
export const foreign = {
  entity_code: 'E9',
  area_code: 'A9',
  location_code: 'L10008',
  document_code: 'D10008',
  run: 12,
  code: 'x@example.org',
  role_code: 'NINGUNO',
  /** Stands for its own code, which is not known before it registers. */
  group_code: '(other group)',
} as const;

const NINE = Array.from({ length: 9 }, (_, index) => index);
const OTHER = 'otra@example.org';

type Run = (code: string, input?: object) => Promise<Answer['body']>;

/** Gives another group all of it; answers what it runs its operations by. */
export const furnish = async (installation: Installation, key: string, folder: string): Promise<Run> => {
  const headers = { authorization: `Bearer ${key}` };
  const run: Run = async (code, input = {}) => {
    const { status, body } = await installation.run(code, { input, confirm: true }, headers);
    if (status !== 200) throw new Error(`${code} of the other group answered ${status}: ${JSON.stringify(body)}`);
    return body['result'] as Answer['body'];
  };
  write(folder, Object.fromEntries(NINE.map((n) => [join(n === 0 ? '' : `c${n}`, `d${n}.txt`), `Texto ajeno ${n}.`])));
  await run('entities.create', { code: foreign.entity_code, name: 'Ajena' });
  await run('areas.create', { entity_code: foreign.entity_code, code: foreign.area_code, name: 'Ajena' });
  await run('users.create', { code: foreign.code, name: 'Ajena' });
  const people = new People(installation.program);
  const session = await installation.program.ask('GET', '/v1/session', undefined, headers);
  const role = {
    codigo: foreign.role_code,
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

/** What the other group says of everything that this one is denied: the folder, the document and the role by name. */
export const foreignThings = (other: Run): Promise<readonly Answer['body'][]> => {
  const { entity_code, document_code, run, code } = foreign;
  return Promise.all([
    other('areas.list', { entity_code }),
    other('locations.list', { limit: 100 }),
    other('documents.get', { document_code }),
    other('queue.list_run', { run }),
    other('users.list_roles', { code }),
    other('roles.list'),
  ]);
};
