import { deleteConversation } from '@acervo/contracts';
import { framesOf, textOf, until } from '@acervo/platform-testing';
import { ChatApp } from '../../test/chat-app';

const RENT = 'La renta del local de la calle Mayor es de 850 euros al mes. Se paga el día 5.';
const SHIFTS = 'Los turnos de noche empiezan a las diez y duran cuatro horas.';
const QUESTION = '¿Cuál es la renta del local de la calle Mayor?';
const FIRST = 'La renta del local de la calle Mayor es de 850 euros al mes [1].';
/** A supported sentence, one with another number, one without a citation, and a supported one. */
const PARTS = [
  'La renta del local de la calle Mayor es de 850 euros al mes [1]. ',
  'La renta del local es de 990 euros al mes [1]. ',
  'Se paga el día 5. ',
  'Los turnos de noche duran cuatro horas [2].',
];
const ANSWER = `${FIRST} Los turnos de noche duran cuatro horas [2].\n\nFuentes:\n[1] D1.txt: https://acervo.test/app/D1\n[2] D2.txt: https://acervo.test/app/D2`;

const app = new ChatApp();
beforeAll(() => app.open());
afterAll(() => app.close());
beforeEach(() => {
  app.world.reset({ D1: RENT, D2: SHIFTS });
  Object.assign(app.model, { left: 0 });
  for (const list of [app.model.scripts, app.model.received]) list.length = 0;
});

const asking = async () => {
  const { scope, bearer } = app.person();
  return { scope, bearer, conversation: await app.conversation(scope) };
};

/** A door that a test opens. */
const door = () => {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { isOpen, open };
};

/** Reads a stream up to a text; the rest follows with `rest`. */
class Reader {
  text = '';
  private readonly reader;
  private readonly decoder = new TextDecoder();

  constructor(answer: Response) {
    if (answer.body === null) throw new Error('The answer has no body.');
    this.reader = answer.body.getReader();
  }

  async upTo(text: string): Promise<void> {
    while (!this.text.includes(text)) if (!(await this.read())) throw new Error(`It ended with ${this.text}`);
  }

  async rest(): Promise<string> {
    while (await this.read());
    return this.text;
  }

  private async read(): Promise<boolean> {
    const { done, value } = await this.reader.read();
    if (!done) this.text += this.decoder.decode(value as Uint8Array, { stream: true });
    return !done;
  }
}

describe('the stream of an answer', () => {
  it('it is frames of text and one end, and is stored as it was sent', async () => {
    const { scope, bearer, conversation } = await asking();
    app.model.scripts.push({ kind: 'text', parts: PARTS });
    const answer = await app.ask(bearer, conversation, QUESTION);
    expect(['content-type', 'x-accel-buffering', 'cache-control'].map((name) => answer.headers.get(name))).toEqual([
      'text/event-stream; charset=utf-8',
      'no',
      'no-cache, no-transform',
    ]);
    const frames = framesOf(await answer.text());
    expect(frames.at(-1)).toEqual({
      done: true,
      id_mensaje_user: expect.any(Number) as number,
      id_mensaje_assistant: expect.any(Number) as number,
    });
    expect(frames.slice(0, -1).map((frame) => Object.keys(frame))).toEqual(Array(frames.length - 1).fill(['text']));
    expect(textOf(frames)).toBe(ANSWER);
    expect(await app.stored(scope)).toEqual([
      { author: 'USER', state: 'DONE', text: QUESTION, citations: 0 },
      { author: 'ASSISTANT', state: 'DONE', text: ANSWER, citations: 2 },
    ]);
  });

  it('a checked sentence arrives before the model goes on', async () => {
    const { bearer, conversation } = await asking();
    const rest = door();
    const before = (part: number) => (part === 3 ? rest.isOpen : undefined);
    app.model.scripts.push({ kind: 'paced', parts: PARTS, before });
    const reader = new Reader(await app.ask(bearer, conversation, QUESTION));
    await reader.upTo('\n\n');
    expect(framesOf(reader.text)).toEqual([{ text: FIRST }]);
    rest.open();
    expect(textOf(framesOf(await reader.rest()))).toBe(ANSWER);
  });

  it('a model that breaks off is continued by the documents', async () => {
    const { scope, bearer, conversation } = await asking();
    const parts = ['Los turnos de noche duran cuatro horas [2]. ', 'La renta'];
    app.model.scripts.push({ kind: 'cut', parts, bytes: 400 });
    const text = textOf(framesOf(await (await app.ask(bearer, conversation, QUESTION)).text()));
    expect(text).toBe(
      'Los turnos de noche duran cuatro horas [1]. La renta del local de la calle Mayor es de 850 euros al mes [2].\n\n' +
        'Fuentes:\n[1] D2.txt: https://acervo.test/app/D2\n[2] D1.txt: https://acervo.test/app/D1',
    );
    expect(await app.stored(scope)).toMatchObject([{}, { state: 'DONE', text, citations: 2 }]);
  });

  it.each([
    ['a quota that is used up', 402, () => (app.world.retrievalsLeft = 0)],
    ['a conversation of another user', 404, () => undefined],
  ])('%s is an ordinary answer that stores nothing', async (what, status, prepare) => {
    const { scope, bearer, conversation } = await asking();
    prepare();
    const answer = await app.ask(bearer, status === 404 ? conversation + 1 : conversation, QUESTION);
    expect([what, answer.status, answer.headers.get('content-type')]).toEqual([
      what,
      status,
      'application/json; charset=utf-8',
    ]);
    expect(await app.stored(scope)).toEqual([]);
  });
});

describe('a reader that leaves', () => {
  it('it ends the request of the model, keeps what was sent, and pays', async () => {
    const { scope, bearer, conversation } = await asking();
    const before = (part: number) => (part === 3 ? door().isOpen : undefined);
    app.model.scripts.push({ kind: 'paced', parts: PARTS, before });
    const leaving = new AbortController();
    const reader = new Reader(await app.ask(bearer, conversation, QUESTION, leaving.signal));
    await reader.upTo('\n\n');
    leaving.abort();
    await until('the model loses its reader', () => app.model.left === 1);
    await until('the pair', async () => (await app.stored(scope)).length === 2);
    expect(await app.stored(scope)).toMatchObject([{}, { state: 'STOPPED', text: FIRST, citations: 1 }]);
    expect([app.world.searches.length, app.world.refunds]).toEqual([1, 0]);
  });

  it('it ends the wait for a search', async () => {
    const { scope, bearer, conversation } = await asking();
    const [asked, found] = [door(), door()];
    app.world.untilSearched = () => {
      asked.open();
      return found.isOpen;
    };
    const leaving = new AbortController();
    const answer = app.ask(bearer, conversation, QUESTION, leaving.signal);
    await asked.isOpen;
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await until('the pair', async () => (await app.stored(scope)).length === 2);
    expect(await app.stored(scope)).toMatchObject([{}, { state: 'STOPPED', text: '', citations: 0 }]);
    expect([app.model.received.length, app.world.refunds]).toEqual([0, 0]);
    found.open();
  });
});

describe('an answer that fails', () => {
  it('a process that stops stores what was sent as an error, and refunds', async () => {
    const { scope, bearer, conversation } = await asking();
    const before = (part: number) => (part === 3 ? door().isOpen : undefined);
    app.model.scripts.push({ kind: 'paced', parts: PARTS, before });
    const reader = new Reader(await app.ask(bearer, conversation, QUESTION));
    await reader.upTo('\n\n');
    app.stop();
    expect(framesOf(await reader.rest())).toEqual([{ text: FIRST }, { error: expect.any(String) as string }]);
    expect(await app.stored(scope)).toMatchObject([{}, { state: 'ERROR', text: FIRST, citations: 1 }]);
    expect(app.world.refunds).toBe(1);
    await until('the model loses its reader', () => app.model.left === 1);
    await app.restart();
  });

  it('a conversation that is deleted meanwhile ends it with an error, at its price', async () => {
    const { scope, bearer, conversation } = await asking();
    const rest = door();
    app.model.scripts.push({ kind: 'paced', parts: PARTS, before: (part) => (part === 3 ? rest.isOpen : undefined) });
    const reader = new Reader(await app.ask(bearer, conversation, QUESTION));
    await reader.upTo('\n\n');
    await app.bed.send(deleteConversation, scope, { conversationId: conversation });
    rest.open();
    expect(framesOf(await reader.rest()).at(-1)).toEqual({ error: expect.any(String) as string });
    expect([await app.stored(scope), app.world.refunds]).toEqual([[], 0]);
  });
});
