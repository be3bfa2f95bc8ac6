import { join } from 'node:path';
import { type Answer, freePort, Program, type StartRequest, temporary, until, write } from '../program';

const PASSWORD = 'una frase larga y segura 7';

export interface Item {
  readonly code: string;
  readonly kind: 'read' | 'write' | 'write_confirm';
  readonly confirm_required: boolean;
  readonly functions: readonly string[];
}

/** A small installation with three documents, the key of its administrator, and one of somebody who reaches nothing. */
export class Installation {
  private constructor(
    readonly program: Program,
    readonly request: StartRequest,
    readonly nobody: string,
    private readonly place: { remove(): void },
  ) {}

  static async open(): Promise<Installation> {
    const place = temporary();
    const folder = join(place.path, 'folder');
    write(folder, {
      'actas/acta-1.txt': 'El acta del agua dice que la cuota sube este año.',
      'actas/acta-2.txt': 'El acta del canal dice que la obra empieza en mayo.',
      'actas/acta-3.txt': 'El acta del pozo dice que la bomba se cambia.',
    });
    const request = {
      ...{ folder, data: join(place.path, 'data'), port: await freePort() },
      environment: { ACERVO_ADMIN_PASSWORD: PASSWORD },
    };
    const program = await Program.start(request);
    await program.done();
    return new Installation(program, request, await nobodyOf(program), place);
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

  /** How many audit records of a call there are with an outcome, once nothing is on its way any more. */
  async audited(call: string, outcome: string, atLeast: number): Promise<number> {
    const count = async () => Number((await this.result('audit.list', { call, outcome }))['total']);
    await until(`${atLeast} audit records of ${call}`, async () => (await count()) >= atLeast).catch(() => undefined);
    return count();
  }
}

/** A key of a user whose role gives no screen at all. */
const nobodyOf = async (program: Program): Promise<string> => {
  const ask = async (method: string, path: string, body: object, bearer = ''): Promise<Record<string, unknown>> => {
    const answer = await program.ask(method, path, body, { authorization: `Bearer ${bearer}` });
    if (answer.status > 299) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const tokenOf = async (email: string): Promise<string> =>
    String((await ask('POST', '/auth/login', { email, password: PASSWORD }))['access_token']);
  const administrator = await tokenOf('admin@acervo.local');
  const group = String((await program.ask('GET', '/v1/session')).body['group_code']);
  const role = { codigo: 'NADA', nombre: 'Nada', tipo_acceso: 'USUARIO', codigo_grupo: group };
  const made = await ask('POST', '/roles', role, administrator);
  const email = 'nadie@example.org';
  const user = { codigo: email, nombre: 'Nadie', password: PASSWORD, id_rol: made['id_rol'], entidades: ['E1'] };
  await ask('POST', '/usuarios', user, administrator);
  const key = await ask('POST', '/auth/api-key', { nombre: 'nada' }, await tokenOf(email));
  return String(key['api_key']);
};
