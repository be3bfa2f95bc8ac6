import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screens } from '@acervo/contracts';
import type { HttpClient } from './http-client';
import { until } from './waiting';

export const PASSWORD = 'una frase larga y segura 7';

type JsonObject = Record<string, unknown>;
/** Sends HTTP requests to the program. */
type Asking = Pick<HttpClient, 'ask'>;

/** Uses the internal routes as people do: with a session, expecting success. */
export class People {
  constructor(private readonly program: Asking) {}

  async ask(method: string, path: string, body: object, bearer = ''): Promise<JsonObject> {
    const answer = await this.program.ask(method, path, body, { authorization: `Bearer ${bearer}` });
    if (answer.status > 299) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async tokenOf(email: string): Promise<string> {
    return String((await this.ask('POST', '/auth/login', { email, password: PASSWORD }))['access_token']);
  }

  async keyOf(email: string): Promise<string> {
    return String(
      (await this.ask('POST', '/auth/api-key', { nombre: 'prueba' }, await this.tokenOf(email)))['api_key'],
    );
  }
}

/** The API key of a new user of the first group, with a new role of a level and some screens. */
export const keyWith = async (
  program: Asking,
  { email, role, level, seen }: { email: string; role: string; level: string; seen: readonly string[] },
): Promise<string> => {
  const people = new People(program);
  const administrator = await people.tokenOf('admin@acervo.local');
  const group = String((await program.ask('GET', '/v1/session')).body['group_code']);
  const draft = { codigo: role, nombre: role, tipo_acceso: level, codigo_grupo: group };
  const id_rol = (await people.ask('POST', '/roles', draft, administrator))['id_rol'];
  for (const codigo_funcion of seen)
    await people.ask('POST', `/roles/${String(id_rol)}/funciones`, { codigo_funcion }, administrator);
  const user = { codigo: email, nombre: role, password: PASSWORD, id_rol, entidades: ['E1'] };
  await people.ask('POST', '/usuarios', user, administrator);
  return people.keyOf(email);
};

/** All screens. */
export const everyScreen: readonly string[] = screens;

/** Registers a group; returns its code and the API key of its administrator. */
export const registered = async (
  program: Asking,
  data: string,
  email: string,
): Promise<{ readonly code: string; readonly key: string }> => {
  const people = new People(program);
  await people.ask('POST', '/auth/registro', { email, nombre: 'Otra', nombre_grupo: 'Otro grupo' });
  const letter = (): string | undefined =>
    readdirSync(join(data, 'mail'))
      .filter((name) => name.endsWith('.txt'))
      .map((name) => readFileSync(join(data, 'mail', name), 'utf8'))
      .find((text) => text.startsWith(`To: ${email}`));
  await until('the letter of the registration', () => existsSync(join(data, 'mail')) && letter() !== undefined);
  const token = /establecer-clave#(\S+)/.exec(letter() ?? '')?.[1] ?? '';
  await people.ask('POST', '/auth/establecer-clave', { token, password: PASSWORD });
  const key = await people.keyOf(email);
  const session = await program.ask('GET', '/v1/session', undefined, { authorization: `Bearer ${key}` });
  return { code: String(session.body['group_code']), key };
};
