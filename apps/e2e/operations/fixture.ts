import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { freePort, Program, type StartRequest, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';
import { furnish, otherAdministrator } from './other-group';
import { ownGroup } from './own-group';
import { everyScreen, keyWith, PASSWORD, registered } from '../harness/people';

export interface Item {
  readonly code: string;
  readonly kind: 'read' | 'write' | 'write_confirm';
  readonly confirm_required: boolean;
  readonly functions: readonly string[];
}

/** Users of the group without some rights. */
export interface Denied {
  /** An administrator whose role has no screen. */
  readonly withoutScreens: string;
  /** A user of the lowest level whose role has every screen. */
  readonly ofLowLevel: string;
}

/** A small installation: three documents, the keys of its administrator and of other users, and a second group. */
export class Installation {
  denied: Denied = { withoutScreens: '', ofLowLevel: '' };
  /** Runs an operation as the administrator of the other group. */
  other: Awaited<ReturnType<typeof furnish>> = () => Promise.reject(new Error('There is no other group yet.'));

  private constructor(
    readonly program: Program,
    readonly request: StartRequest,
    /** The code of the other group. */
    readonly otherGroup: string,
    /** A folder with one document, below a folder that the operator opened to the group; no user has added it. */
    readonly third: string,
    private readonly place: { remove(): void },
  ) {}

  static async open(): Promise<Installation> {
    const place = temporary();
    const [folder, opened, others] = ['folder', 'opened', 'others'].map((name) => join(place.path, name)) as [
      ...[string, string, string],
    ];
    const [second, third] = [join(opened, 'second'), join(opened, 'third')];
    write(folder, {
      'actas/acta-1.txt': 'El acta del agua dice que la cuota sube este año.',
      'actas/acta-2.txt': 'El acta del canal dice que la obra empieza en mayo.',
      'actas/acta-3.txt': 'El acta del pozo dice que la bomba se cambia.',
    });
    write(second, { 'padron.txt': 'El padrón de la acequia.' });
    write(third, { 'riegos.txt': 'Los turnos de riego.' });
    const data = join(place.path, 'data');
    const environment = { ACERVO_ADMIN_PASSWORD: PASSWORD };
    const first = await Program.start({ folder, data, port: await freePort(), environment });
    await first.done();
    const { code, key } = await registered(first, data, otherAdministrator);
    await first.stop();
    // The code of the other group is unknown before its registration.
    const roots = { ACERVO_FOLDER_ROOTS: `G1=${opened}:${code}=${others}` };
    const request = { folder: null, data, port: await freePort(), environment: { ...environment, ...roots } };
    const program = await Program.start(request);
    program.key = first.key;
    await program.done();
    const installation = new Installation(program, request, code, third, place);
    installation.denied = {
      withoutScreens: await keyWith(program, {
        email: 'nadie@example.org',
        role: ownGroup.role,
        level: 'ADMINISTRADOR',
        seen: [],
      }),
      ofLowLevel: await keyWith(program, {
        email: 'poco@example.org',
        role: 'POCO',
        level: 'USUARIO',
        seen: everyScreen,
      }),
    };
    installation.other = await furnish(installation, key, others);
    await installation.furnishOwn(second);
    return installation;
  }

  /** Creates what the inputs of operations name and a new installation lacks. */
  private async furnishOwn(second: string): Promise<void> {
    await this.result('areas.create', { entity_code: ownGroup.entity, code: ownGroup.area, name: 'Riegos' });
    await this.result('users.create', { code: ownGroup.user, name: 'Persona' });
    const { documentType, featureCategory, feature, groupProcess, groupTask } = ownGroup;
    await this.result('document_types.create', { code: documentType, name: 'Acta' });
    await this.result('document_types.add_category', {
      ...{ document_type_code: documentType, code: featureCategory, name: 'Fechas', kind: 'ATTRIBUTE' },
    });
    await this.result('document_types.add_feature', { category_code: featureCategory, code: feature, name: 'Reunión' });
    await this.result('spaces.create', { name: 'Actas', criteria: { name: 'acta-*' } });
    await this.result('group_processes.create', { process_code: groupProcess, name: 'Renovar' });
    await this.result('group_tasks.create', { process_code: groupProcess, task_code: groupTask, name: 'Firmar' });
    for (let process = 1; process <= 2; process += 1)
      await this.result('group_processes.update', { process_code: groupProcess, start: true });
    await this.result('locations.create', { path: second, entity_code: ownGroup.entity });
    await this.result('locations.create', {
      ...{ name: 'riegos en la web', start_urls: ['https://riegos.example/'], topic: 'riego' },
      entity_code: ownGroup.entity,
    });
    await until('the second folder is searchable', async () => {
      const { counts } = await this.result('documents.count_by_status');
      return JSON.stringify(counts).includes('"VECTORIZED","documents":4');
    });
  }

  async close(): Promise<void> {
    await this.program.stop();
    this.place.remove();
  }

  run(code: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.program.ask('POST', `/v1/operations/${code}:execute`, body, headers);
  }

  /** The result of an operation that must succeed. */
  async result(code: string, input: object = {}, confirm = true): Promise<Record<string, unknown>> {
    const { status, body } = await this.run(code, { input, confirm });
    if (status !== 200) throw new Error(`${code} answered ${status}: ${JSON.stringify(body)}`);
    return body['result'] as Record<string, unknown>;
  }

  /** Number of audit records of an operation with an outcome, once there are so many. */
  async audited(operation: string, outcome: string, atLeast: number): Promise<number> {
    let count = 0;
    await until(`${atLeast} audit records of ${operation}`, async () => {
      count = Number((await this.result('audit.list', { operation, outcome }))['total']);
      return count >= atLeast;
    }).catch(() => undefined);
    return count;
  }
}
