import { randomUUID } from 'node:crypto';
import {
  type Call,
  type CatalogFunction,
  getFunction,
  listCatalog,
  NotFound,
  PLANNED_SCREEN,
  type ScopeKind,
  Unavailable,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { administratorOf } from '@acervo/platform-test-bed';
import { helpLanguageOf, HelpService } from './help.service';
import { HelpPassages } from './help-passages';
import { type HelpExchange, OFFER } from './support-offer';

const scope = administratorOf(randomUUID());
const functions: CatalogFunction[] = [
  {
    ...{ code: 'API_KEYS', name: 'Claves de API', alias: 'api_keys' },
    description: 'Crea y revoca las claves con las que los programas consultan Acervo.',
  },
  {
    ...{ code: 'MANAGE_GROUP_TASKS', name: 'Tareas del grupo', alias: 'manage_group_tasks' },
    description: `${PLANNED_SCREEN} Define las tareas reutilizables con las que se componen los procesos.`,
  },
];
const behaviours = [
  'La fecha de último uso se anota cuando un programa presenta la clave.',
  'La tutoría de claves caducas está en https://example.test [1].',
];

/** An operations service that answers so. */
class Operations extends Calls {
  readonly sent: string[] = [];

  constructor(
    private readonly list: () => readonly CatalogFunction[] = () => functions,
    private readonly describe: () => readonly string[] = () => behaviours,
  ) {
    super();
  }

  send<I extends object, O extends object, K extends ScopeKind>({ code, output }: Call<I, O, K>): Promise<O> {
    this.sent.push(code);
    return Promise.resolve().then(() => Object.assign(new output(), this.answer(code)));
  }

  private answer(code: string): object {
    if (code === listCatalog.code) return { functions: this.list(), skills: [] };
    if (code !== getFunction.code) throw new Error(`Help sends no ${code}.`);
    return { behaviors: this.describe().map((text) => ({ class: 'NAVEGACION', section: 'Claves activas', text })) };
  }
}

/** Help beside an operations service: what it answers to a question. */
const helpBeside = (operations: Calls = new Operations()) => {
  const help = new HelpService(new HelpPassages(operations));
  return (question: string, language = 'es', exchanges: readonly HelpExchange[] = []) =>
    help.answer(scope, { question, language, exchanges });
};
const away = (): never => {
  throw new Unavailable('operations does not answer.');
};

describe('help', () => {
  it.each([
    ['es', '¿Cómo invito a una persona nueva?', 'la pantalla Gestión de usuarios'],
    ['en', 'How do I create an API key?', 'the screen API keys'],
  ])('a question in %s is answered in its language and names a screen', async (language, question, screen) => {
    const reply = await helpBeside()(question, language);
    expect(reply).toMatchObject({ state: 'DONE', offersSupport: false });
    expect(reply.text).toContain(screen);
    expect(reply.text).not.toMatch(/https?:|\[\d+\]/u);
  });
  it.each([
    ['es', '¿De qué color es la pantalla?'],
    ['en', 'Which colour does the sky have?'],
  ] as const)('an unsettled question in %s offers a support request', async (language, question) => {
    const reply = await helpBeside()(question, language);
    expect(reply).toEqual({ text: OFFER[language], state: 'ABSTAINED', offersSupport: true });
  });
  it('an offer that is declined registers nothing and answers so', async () => {
    const exchanges = [{ question: '¿De qué color?', answer: OFFER.es }];
    const reply = await helpBeside()('No, gracias.', 'es', exchanges);
    expect(reply).toEqual({
      text: 'No se registra ninguna solicitud de soporte.',
      state: 'DONE',
      offersSupport: false,
    });
  });
  it.each([
    ['es', '¿Y esto?', 'es'],
    ['en', 'And this?', 'en'],
    ['gl', '¿Cómo conecto un agente?', 'es'],
    ['fr', 'How do I connect an agent?', 'en'],
    ['de', '???', 'es'],
  ])('a question in %s is answered in a language of help', (language, question, expected) => {
    expect(helpLanguageOf(language, question)).toBe(expected);
  });
});

describe('help about the screens of the caller', () => {
  it('the behaviour of a screen answers a question about it', async () => {
    const { text } = await helpBeside()('¿Cuándo se anota la fecha de último uso de las claves?');
    expect(text).toBe(`Pantalla Claves de API: ${String(behaviours[0])}`);
  });
  it('the description of a screen is given in English', async () => {
    const { text } = await helpBeside()('Which programs query Acervo?', 'en');
    expect(text).toBe('Screen API keys: Creates and revokes the keys that programs query Acervo with.');
  });
  it('a planned screen is described as planned alone', async () => {
    const { text } = await helpBeside()('¿Qué tareas reutilizables hay en tareas del grupo previstas?');
    expect(text).toMatch(/^La pantalla Tareas del grupo está prevista|^La ayuda no resuelve/u);
    expect((await helpBeside()('¿Está prevista la pantalla Tareas del grupo?')).text).toBe(
      'La pantalla Tareas del grupo está prevista: esta versión de Acervo no la ofrece todavía.',
    );
  });
  it('a sentence with a link or a mark is left out', async () => {
    expect((await helpBeside()('¿Dónde está la tutoría de claves caducas?')).text).not.toContain('tutoría');
  });
  it('a behaviour is read once for many questions', async () => {
    const operations = new Operations();
    const ask = helpBeside(operations);
    for (const _ of [1, 2, 3]) await ask('¿Quién crea y revoca las claves de API?');
    expect(operations.sent.filter((code) => code === getFunction.code)).toHaveLength(1);
  });
  it('the handbook answers while the catalogue is away', async () => {
    const question = '¿Cómo revoco una clave de API?';
    const gone = (): never => {
      throw new NotFound();
    };
    for (const operations of [new Operations(away), new Operations(undefined, away), new Operations(undefined, gone)])
      expect((await helpBeside(operations)(question)).state).toBe('DONE');
  });
  it('a failure of another kind is an error', async () => {
    const broken = new Operations(() => {
      throw new Error('broken');
    });
    await expect(helpBeside(broken)('¿Cómo revoco una clave?')).rejects.toThrow('broken');
  });
});
