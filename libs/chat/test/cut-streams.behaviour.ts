import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerFrame } from '@acervo/contracts';
import { framesOf, textOf, until } from '@acervo/platform-testing';
import type { Scope } from '@acervo/rbac';
import { ChatApp, type StoredMessage } from './chat-app';
import { StreamAnswer } from '../src/routes/stream-answer';

const RENT = 'La renta es de 850 euros.';
const SHIFTS = 'Los turnos duran 9 horas.';
const QUESTION = '¿De cuánto es la renta?';
const WRITTEN = `${RENT.slice(0, -1)} [1]. La renta es de 990 euros [1]. ${SHIFTS.slice(0, -1)} [2].`;
const SENTENCES: ReadonlySet<string> = new Set([RENT, SHIFTS]);
/** Bytes that the scripted model sends around each part, and at its end. */
const AROUND_PART = 148;
/** Answers on their way at once. */
const AT_ONCE = 20;

const app = new ChatApp();
const good = app.model.answer;

const inPieces = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
const asking = async () => {
  const { scope, bearer } = app.person();
  return { scope, bearer, conversation: await app.conversation(scope) };
};

/** Works for each cut, several at a time. */
const forEach = async (cuts: readonly number[], work: (cut: number) => Promise<void>): Promise<void> => {
  for (let from = 0; from < cuts.length; from += AT_ONCE) await Promise.all(cuts.slice(from, from + AT_ONCE).map(work));
};

/** The sentences of an answer without their marks and sources. */
const sentencesOf = (answer: string): string[] =>
  (answer.split('\n\n')[0] ?? '')
    .split(/(?<=\.) /u)
    .flatMap((each) => (each === '' ? [] : each.replace(/ (\[\d\])+\./u, '.')));

/** The body of an answer in chunks, as far as it was received. */
const bodyOf = (answer: Buffer): string => {
  const head = answer.indexOf('\r\n\r\n');
  const parts: Buffer[] = [];
  for (let at = head + 4; head >= 0 && at < answer.length;) {
    const line = answer.indexOf('\r\n', at);
    if (line < 0) break;
    const size = Number.parseInt(answer.toString('latin1', at, line), 16);
    parts.push(answer.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts).toString('utf8');
};

/** How answers were stored, by their state. @throws for half a pair, and for a sentence that no document states */
class Store {
  readonly states: Record<string, number> = {};

  add(messages: readonly StoredMessage[], received: string): void {
    expect(messages.map(({ author }) => author)).toEqual(['USER', 'ASSISTANT']);
    const [, { state = '', text = '', citations = 0 } = {}] = messages;
    expect(text.startsWith(received)).toBe(true);
    expect(sentencesOf(text).filter((sentence) => !SENTENCES.has(sentence))).toEqual([]);
    expect(citations).toBe(sentencesOf(text).length);
    this.states[state] = (this.states[state] ?? 0) + 1;
  }
}

const ends = (frames: readonly Record<string, unknown>[]): number =>
  frames.filter((frame) => 'done' in frame || 'error' in frame).length;

/** Reads frames of the handler itself. */
const framesFor = async (
  scope: Scope,
  conversationId: number,
  ending = new AbortController(),
): Promise<{ readonly frames: readonly AnswerFrame[]; readonly error: unknown }> => {
  const frames: AnswerFrame[] = [];
  const question = { question: QUESTION, conversationId, mode: 'default' } as const;
  const signals = { gone: new AbortController().signal, ending: ending.signal };
  try {
    for await (const frame of app.bed.get(StreamAnswer).frames(scope, question, signals)) frames.push(frame);
    return { frames, error: undefined };
  } catch (error) {
    return { frames, error };
  }
};

const written = (frames: readonly AnswerFrame[]): string => frames.map(({ text }) => text ?? '').join('');

/** An answer that is cut in the middle ends whole. @param step 1: at each byte; otherwise at some, spread over all */
export const cutStreamsEndWhole = (step: number): void => {
  beforeAll(() => app.open());
  afterAll(() => app.close());
  beforeEach(() => {
    app.world.reset({ D1: RENT, D2: SHIFTS });
    app.model.scripts.length = 0;
    app.model.answer = good;
  });

  const placesOf = (length: number, first = 0): number[] =>
    Array.from({ length: Math.ceil(length / step) }, (_, index) => first + index * step);

  describe('the stream of an answer that is cut', () => {
    it('by its reader at a byte: valid frames, and a whole pair', async () => {
      const script = () =>
        app.model.scripts.push({ kind: 'paced', parts: inPieces(WRITTEN, 20), before: () => pause(1) });
      const whole = await asking();
      script();
      const answer = await app.askAndLeave(whole.bearer, whole.conversation, QUESTION, Infinity);
      const body = answer.indexOf('\r\n\r\n') + 4;
      // Cuts within the head differ in nothing; some of them stand for all.
      const within = placesOf(answer.length - body + 1, body);
      const cuts = [...Array.from({ length: Math.ceil(body / 100) }, (_, index) => index * 100 + 1), ...within];
      const store = new Store();
      await forEach(cuts, async (cut) => {
        const { scope, bearer, conversation } = await asking();
        script();
        const frames = framesOf(bodyOf(await app.askAndLeave(bearer, conversation, QUESTION, cut)));
        expect(ends(frames)).toBeLessThanOrEqual(1);
        await until('the pair', async () => (await app.stored(scope)).length > 0);
        store.add(await app.stored(scope), textOf(frames));
      });
      const { DONE: done = 0, STOPPED: stopped = 0, ...others } = store.states;
      expect([done + stopped, others]).toEqual([cuts.length, {}]);
      expect(cuts.length).toBeGreaterThan(200 / step);
      expect(stopped).toBeGreaterThan(0);
      expect([app.world.searches.length, app.world.refunds]).toEqual([cuts.length + 1, 0]);
    });

    it('by its model at a byte: supported sentences, one end, and a whole pair', async () => {
      const parts = inPieces(WRITTEN, 60);
      // A request that is repeated is refused: the documents go on with the answer.
      app.model.answer = () => ({ kind: 'status', status: 400 });
      const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part) + AROUND_PART, AROUND_PART);
      const cuts = placesOf(bytes);
      const store = new Store();
      await forEach(cuts, async (cut) => {
        const { scope, conversation } = await asking();
        app.model.scripts.push({ kind: 'cut', parts, bytes: cut });
        const { frames, error } = await framesFor(scope, conversation);
        expect([error, frames.filter(({ done }) => done === true).length, frames.at(-1)?.done]).toEqual([
          undefined,
          1,
          true,
        ]);
        const messages = await app.stored(scope);
        store.add(messages, written(frames));
        expect(messages[1]?.text).toBe(written(frames));
      });
      expect([store.states, app.world.refunds]).toEqual([{ DONE: cuts.length }, 0]);
      expect(app.model.received.length).toBeGreaterThan(cuts.length);
    });

    it('by the stop of the process at a character: an error, what was sent, a refund', async () => {
      const parts = [...WRITTEN];
      const store = new Store();
      const cuts = placesOf(parts.length + 1);
      await forEach(cuts, async (cut) => {
        const { scope, conversation } = await asking();
        const ending = new AbortController();
        const before = (part: number) => (part === cut ? ending.abort() : undefined);
        app.model.scripts.push({ kind: 'paced', parts, before });
        const { frames, error } = await framesFor(scope, conversation, ending);
        expect([String(error), frames.some(({ done }) => done === true)]).toEqual([
          expect.stringMatching(/stops/),
          false,
        ]);
        const messages = await app.stored(scope);
        store.add(messages, written(frames));
        expect(messages[1]?.text).toBe(written(frames));
      });
      expect([store.states, app.world.refunds]).toEqual([{ ERROR: cuts.length }, cuts.length]);
    });

    it('by a store that fails: one error, no message, a refund', async () => {
      const { scope, bearer, conversation } = await asking();
      app.model.scripts.push({ kind: 'text', parts: [WRITTEN] });
      await app.bed.engine.asOwner('chat', 'alter table chat.counter rename to away');
      try {
        const frames = framesOf(await (await app.ask(bearer, conversation, QUESTION)).text());
        expect([ends(frames), frames.at(-1)]).toEqual([1, { error: expect.any(String) as string }]);
      } finally {
        await app.bed.engine.asOwner('chat', 'alter table chat.away rename to counter');
      }
      expect([await app.stored(scope), app.world.refunds]).toEqual([[], 1]);
    });
  });
};
