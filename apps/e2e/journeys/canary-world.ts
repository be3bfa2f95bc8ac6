import { join } from 'node:path';
import { listGroups, makeSystemUser, registerFolder } from '@acervo/contracts';
import { ChatServer, type ReceivedChat } from '@acervo/platform-testing';
import { anonymous, WorkScope } from '@acervo/rbac';
import type { Answer } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { keyWith, PASSWORD, People, registered } from '../harness/people';
import { temporary, write } from '../harness/program';
import { eventually, until } from '../harness/waiting';

type Body = Answer['body'];
type Named = readonly { readonly code: string; readonly name: string }[];

/** A document with a word that no other text has, and the question that its sentence answers. */
export interface Canary {
  readonly file: string;
  readonly about: string;
  readonly word: string;
}

/** By who may see them. `area` and `entity` are of the first group. The names of the files are found nowhere else, too. */
export const canaries = {
  open: { file: 'abierto/aliso.txt', about: 'el almacén de herramientas', word: 'abedul' },
  lent: { file: 'abierto/olmo.txt', about: 'la nave de envasado', word: 'fresno' },
  moved: { file: 'abierto/garza.txt', about: 'el pozo de arriba', word: 'vencejo' },
  deleted: { file: 'abierto/tordo.txt', about: 'el depósito de gasóleo', word: 'jilguero' },
  area: { file: 'cerrado/autillo.txt', about: 'la compuerta cubierta', word: 'zorzal' },
  entity: { file: 'grulla.txt', about: 'la bodega vieja', word: 'milano' },
  group: { file: 'perdiz.txt', about: 'la caja de la asociación', word: 'alondra' },
} as const satisfies Readonly<Record<string, Canary>>;

const nameOf = ({ file }: Canary): string => file.split('/').at(-1) ?? '';
const sentenceOf = ({ about, word }: Canary): string => `La clave de ${about} es ${word}.`;
export const questionOf = ({ about }: Canary): string => `¿Cuál es la clave de ${about}?`;
/** What is read of a document by a caller who meets it: its word, or its name. */
export const wordsOf = (...those: readonly Canary[]): string[] =>
  those.flatMap((canary) => [canary.word, nameOf(canary)]);

const filesOf = (...those: readonly Canary[]): Record<string, string> =>
  Object.fromEntries(those.map((canary) => [canary.file, sentenceOf(canary)]));

const PASSAGE = /<data \w+ label="passage (\d+)[^"]*">\n([^]*?)\n<\/data/g;

/** The answer of a model that repeats everything it reads: each passage with its number, and what was said before. */
const repeated = ({ body: { messages } }: ReceivedChat): string => {
  const earlier = messages.slice(1, -1).map(({ content }) => content);
  const passages = [...(messages.at(-1)?.content ?? '').matchAll(PASSAGE)];
  const cited = passages.map(([, number = '', text = '']) => text.replace(/\.?\s*$/, ` [${number}].`));
  return [...cited, ...earlier.map((text) => `${text} [1].`)].join('\n') || 'NO ANSWER';
};

/** A caller with everything that was answered to it. */
export class Asker {
  readonly answers: Answer[] = [];
  private conversation: string | undefined;

  constructor(
    private readonly client: Pick<Installation, 'ask'>,
    private readonly bearer: string,
  ) {}

  /** The same credential, with nothing answered so far. */
  again(): Asker {
    return new Asker(this.client, this.bearer);
  }

  async send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.client.ask(method, path, body, { authorization: `Bearer ${this.bearer}`, ...headers });
    this.answers.push(answer);
    return answer;
  }

  /** @throws for an answer that is no success */
  async get(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Body> {
    const answer = await this.send(method, path, body, headers);
    if (answer.status > 299) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  ask(question: string, more: object = {}, headers?: Record<string, string>): Promise<Answer> {
    return this.send('POST', '/v1/ask', { question, ...more }, headers);
  }

  tool(name: string, toolArguments: object, headers?: Record<string, string>): Promise<Answer> {
    return this.send('POST', `/v1/agent/tools/${name}`, { arguments: toolArguments }, headers);
  }

  execute(code: string, input: object): Promise<Body> {
    return this.get('POST', `/v1/operations/${code}:execute`, { input, confirm: true });
  }

  /** Asks by the stream of the web application, in one conversation of this caller. */
  async stream(mensaje: string, more: object = {}): Promise<Answer> {
    this.conversation ??= String(
      (await this.get('POST', '/chat/conversaciones', { codigo_funcion: 'CHAT-USER' }))['id'],
    );
    return this.send('POST', `/chat/conversaciones/${this.conversation}/mensajes/stream`, { mensaje, ...more });
  }

  /** Everything that is stored for this caller, as the web application shows it. */
  async history(): Promise<string> {
    const { conversaciones } = await this.get('GET', '/chat/conversaciones');
    const shown = [];
    for (const { id } of conversaciones as { id: number }[])
      shown.push((await this.send('GET', `/chat/conversaciones/${id}`)).text);
    return shown.join('\n');
  }

  /** The answers that have one of some words. */
  holding(words: readonly string[]): string[] {
    return this.answers.map(({ text }) => text).filter((text) => words.some((word) => text.includes(word)));
  }
}

/** Two groups whose documents have canaries, the people who ask, and a chat model that repeats what it reads. */
export class CanaryWorld {
  private constructor(
    private readonly place: ReturnType<typeof temporary>,
    readonly installation: Installation,
    readonly model: ChatServer,
  ) {}

  static async open(): Promise<CanaryWorld> {
    const place = temporary();
    const model = new ChatServer();
    const folder = join(place.path, 'folder');
    const { open, lent, moved, deleted, area, entity, group } = canaries;
    write(folder, filesOf(open, lent, moved, deleted, area));
    write(join(place.path, 'bodegas'), filesOf(entity));
    write(join(place.path, 'ajenos'), filesOf(group));
    const environment = {
      ...{ ACERVO_ADMIN_PASSWORD: PASSWORD, ACERVO_CHAT_URL: await model.open(), ACERVO_CHAT_MODEL: 'scripted' },
      ACERVO_CHAT_SUMMARIES: 'false',
    };
    const data = join(place.path, 'data');
    const installation = await Installation.start({ folder, data, processes: false, environment });
    await installation.running.ingested;
    const world = new CanaryWorld(place, installation, model);
    world.repeats();
    return world;
  }

  get folder(): string {
    return join(this.place.path, 'folder');
  }

  /** The model repeats everything that it reads. */
  repeats(): void {
    this.model.answer = (received) => ({ kind: 'text', parts: [repeated(received)] });
  }

  /** The model knows canaries from elsewhere, and claims that the first passage has them. */
  invents(...those: readonly Canary[]): void {
    const text = those.map((canary) => sentenceOf(canary).replace('.', ' [1].')).join('\n');
    this.model.answer = () => ({ kind: 'text', parts: [text] });
  }

  /** The model refuses, so that answers are extracted without it. */
  refuses(): void {
    this.model.answer = () => ({ kind: 'status', status: 400 });
  }

  withKey(key: string): Asker {
    return new Asker(this.installation, key);
  }

  async withSession(email: string): Promise<Asker> {
    return new Asker(this.installation, await new People(this.installation).tokenOf(email));
  }

  /** A user of the first group who has some functions, and sees the area `A1` alone. */
  async reader(email: string, role: string, seen: readonly string[]): Promise<Asker> {
    const key = await keyWith(this.installation, { email, role, level: 'USUARIO', seen });
    await this.moveTo(email, 'A1');
    return this.withKey(key);
  }

  /** Restricts a user to an area of the first entity. */
  async moveTo(email: string, codigo_area: string): Promise<void> {
    const administrator = await this.withSession('admin@acervo.local');
    const path = `/usuarios/${email}/entidades`;
    await administrator.get('DELETE', `${path}/E1`);
    await administrator.get('POST', path, { codigo_entidad: 'E1', codigo_area });
  }

  /** The second entity, an area that reaches the open folder, and one without folders. Returns the folders by name. */
  async divide(administrator: Asker): Promise<ReadonlyMap<string, string>> {
    await administrator.execute('entities.create', { code: 'E2', name: 'Bodegas' });
    await administrator.execute('users.add_entity', { code: 'admin@acervo.local', entity_code: 'E2' });
    await this.register(this.installation.scope.groupId, 'bodegas', 'E2');
    await this.finds(administrator, canaries.entity);
    const { locations } = await administrator.get('GET', '/v1/locations?limit=200');
    const folders = new Map((locations as Named).map(({ name, code }) => [name, code]));
    for (const code of ['A1', 'A2'])
      await administrator.execute('areas.create', { code, entity_code: 'E1', name: code });
    await administrator.execute('areas.add_location', { area_code: 'A1', location_code: folders.get('abierto') });
    return folders;
  }

  /** The administrator of the second group, whose documents are searchable. */
  async stranger(email: string): Promise<{ readonly asker: Asker; readonly code: string }> {
    const { key, code } = await registered(this.installation, join(this.place.path, 'data'), email);
    const { groups } = await this.installation.running.calls.send(listGroups, anonymous, {});
    const groupId = groups.map((each) => each.groupId).find((each) => each !== this.installation.scope.groupId);
    await this.register(groupId ?? '', 'ajenos', 'E1');
    const asker = this.withKey(key);
    await this.finds(asker, canaries.group);
    return { asker, code };
  }

  /** A SYSTEM user of the first group with a session. */
  async systemUser(email: string): Promise<Asker> {
    const { running, scope } = this.installation;
    await running.calls.send(makeSystemUser, new WorkScope(scope.groupId, 'standalone', 'test'), { email });
    const users = 'from auth.app_user u where u.group_id = $1 and u.email = $2';
    for (const sql of [
      `update auth.app_user u set state = 'ACTIVO' where u.group_id = $1 and u.email = $2`,
      `insert into auth.user_entity (group_id, user_id, entity_code) select u.group_id, u.user_id, 'E1' ${users}`,
      `insert into auth.password (group_id, user_id, hash)
       select u.group_id, u.user_id, (select p.hash from auth.password p where p.group_id = $1 limit 1) ${users}`,
    ])
      await this.installation.change('auth', sql, [email]);
    return this.withSession(email);
  }

  private register(groupId: string, name: string, entityCode: string): Promise<unknown> {
    const scope = new WorkScope(groupId, 'standalone', 'test');
    return this.installation.running.calls.send(registerFolder, scope, {
      path: join(this.place.path, name),
      entityCode,
    });
  }

  /** Waits until a search of a caller finds a canary. */
  finds(asker: Asker, canary: Canary): Promise<void> {
    return until(`${canary.file} is found`, async () => (await this.found(asker, canary)) !== undefined);
  }

  /** Waits until no search of a caller finds a canary. */
  loses(asker: Asker, canary: Canary): Promise<void> {
    return until(`${canary.file} is found no longer`, async () => (await this.found(asker, canary)) === undefined);
  }

  /** The code of a document that a caller finds. */
  codeOf(asker: Asker, canary: Canary): Promise<string> {
    return eventually(`the code of ${canary.file}`, () => this.found(asker, canary));
  }

  private async found(asker: Asker, canary: Canary): Promise<string | undefined> {
    const { documents } = await asker.get('POST', '/v1/documents/search', { query: questionOf(canary) });
    return (documents as Named).find(({ name }) => name === nameOf(canary))?.code;
  }

  async close(): Promise<void> {
    await this.installation.stop();
    await this.model.close();
    this.place.remove();
  }
}
