import { join } from 'node:path';
import { ChatServer, type ReceivedChat, textOf } from '@acervo/platform-testing';
import { askStreamed, endsOf, type StreamedAnswer } from '../harness/answer-stream';
import type { Answer } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { PASSWORD, People } from '../harness/people';
import { lives } from '../harness/processes';
import { temporary, write } from '../harness/program';
import { retryUntilAvailable, until } from '../harness/waiting';

const DOCUMENT = 'Los turnos de noche empiezan a las diez y duran cuatro horas. La sequía se declara en verano.';
const WRITTEN = 'Los turnos de noche empiezan a las diez y duran cuatro horas [1]. La sequía se declara en verano [1].';
const PARTS = WRITTEN.match(/[^]{1,10}/gu) ?? [];
/** Where processes die, life after life of chat: before and behind the commits of an answer, and of a streamed one. */
const FAILPOINTS = [
  'retrieval/search.counted,chat/before-commit.conversations.ask',
  'chat/after-commit.conversations.ask',
  'chat/before-commit.conversations.store_answer',
  'chat/after-commit.conversations.store_answer',
].join(';');
/** Every second part of the model's text, and its end. */
export const EVERY_SECOND_PART: readonly number[] = [0, 2, 4, 6, 8, PARTS.length];
/** Before the text, within it, and at its end. */
export const EACH_PHASE: readonly number[] = [0, 4, PARTS.length];
/** Deaths besides those within the model's text: at five commits, in a rewriting, of the gateway and the database. */
const OTHER_PHASES = 8;

/** The request that rewrites a question, which is no stream. */
const REWRITING = 'rewriting';
/** A question that refers back to the one before it. */
const REFERRING = 'caso seis';

const questionOf = (name: string): string =>
  `${name === REFERRING ? '¿Y cuánto duran?' : '¿A qué hora empiezan los turnos de noche?'} (${name})`;

interface StoredMessage {
  readonly id: number;
  readonly conversation: number;
  readonly author: 'USER' | 'ASSISTANT';
  readonly state: string;
  readonly text: string;
}

/** A model that stops within its answer to some questions, until they are released. */
class StoppingModel extends ChatServer {
  private readonly stops = new Map<string, { readonly part: number; readonly reached: () => void }>();

  constructor() {
    super((received) => {
      if (received.body.stream !== true && this.before(REWRITING, 0) !== undefined) return { kind: 'stall' };
      return { kind: 'paced', parts: PARTS, before: (part) => this.before(this.nameIn(received), part) };
    });
  }

  /** Stops the answer to the question with a name before a part; resolves when it is there. */
  stopBefore(name: string, part: number): Promise<void> {
    return new Promise((reached) => this.stops.set(name, { part, reached }));
  }

  release(): void {
    this.stops.clear();
  }

  private nameIn({ body }: ReceivedChat): string {
    return /caso \w+/.exec(body.messages.at(-1)?.content ?? '')?.[0] ?? '';
  }

  private before(name: string, part: number): Promise<void> | undefined {
    const stop = this.stops.get(name);
    if (stop?.part !== part) return undefined;
    stop.reached();
    return new Promise(() => undefined);
  }
}

/**
 * Kills the processes of answers.
 * @param killedAt parts of the model's text before which chat is killed, for an answer and for a streamed one each
 */
export const asksSurvive = (killedAt: readonly number[]): void => {
  const place = temporary();
  const model = new StoppingModel();
  let installation: Installation;
  let session = '';
  let phases = 0;
  /** Attempts that were ended before their commit: each may cost its retrieval. */
  let interrupted = 0;
  /** Questions under a key, with their answers. */
  const answered = new Map<string, string>();
  /** Pairs of streams that were stored. */
  let streamed = 0;

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'turnos.txt': DOCUMENT });
    const environment = {
      ...{ ACERVO_FAILPOINT: FAILPOINTS, ACERVO_ADMIN_PASSWORD: PASSWORD, ACERVO_REQUESTS_AT_ONCE: '64' },
      ...{ ACERVO_CHAT_URL: await model.open(), ACERVO_CHAT_MODEL: 'scripted' },
      ...{ ACERVO_CHAT_SUMMARIES: 'false', ACERVO_CHAT_CONCURRENCY: '64' },
    };
    installation = await Installation.start({ folder, data: join(place.path, 'data'), environment });
    await installation.firstDocument();
    session = await new People(installation).tokenOf('admin@acervo.local');
  });
  afterAll(async () => {
    await installation.stop();
    await model.close();
    place.remove();
    process.stdout.write(`asks: ${phases} phases, ${answered.size} answers, ${streamed} streamed pairs\n`);
  });

  const asSession = () => ({ authorization: `Bearer ${session}` });
  const ask = (name: string, more: object = {}): Promise<Answer> =>
    installation.ask(
      'POST',
      '/v1/ask',
      { question: questionOf(name), ...more },
      { 'idempotency-key': `key-${name}`.replace(' ', '-') },
    );
  const opened = (): Promise<number> =>
    retryUntilAvailable('a conversation', async () => {
      const { status, body } = await installation.ask(
        'POST',
        '/chat/conversaciones',
        { codigo_funcion: 'CHAT-USER' },
        asSession(),
      );
      return status === 200 ? Number(body['id']) : undefined;
    });
  const stream = (name: string, conversation: number): Promise<StreamedAnswer> =>
    askStreamed({ port: installation.port, bearer: session, conversation, question: questionOf(name) });
  const processId = (service: string): Promise<number> =>
    retryUntilAvailable(`a process of ${service}`, () => installation.processesOf(service)[0], 60_000);
  const dies = (pid: number): Promise<void> => until('the death of a process', () => !lives(pid), 60_000);
  const kill = async (service: string): Promise<void> => {
    for (const pid of installation.processesOf(service)) {
      process.kill(pid, 'SIGKILL');
      await dies(pid);
    }
  };
  /** Asks under the key of a question until it is answered, and once more: both answers are the same. */
  const answers = async (name: string, more: object = {}): Promise<Answer> => {
    const answer = (): Promise<Answer> =>
      retryUntilAvailable(`an answer to ${name}`, async () => {
        const found = await ask(name, more);
        return found.status === 200 ? found : undefined;
      });
    const [first, again] = [await answer(), await answer()];
    expect(again.body).toEqual(first.body);
    answered.set(name, String(first.body['answer']));
    return first;
  };
  const used = async (): Promise<number> => {
    const sql = 'select used from retrieval.allowance where group_id = $1';
    return (await installation.rows<{ used: number }>('retrieval', sql))[0]?.used ?? 0;
  };
  const stored = (): Promise<StoredMessage[]> =>
    installation.rows<StoredMessage>(
      'chat',
      `select message_id as id, conversation_id as conversation, author, state, text from chat.message
       where group_id = $1 order by message_id`,
    );

  /** Every question has its answer behind it, and each key one pair. */
  const isConsistent = async (states: readonly string[] = ['DONE']): Promise<void> => {
    const messages = await retryUntilAvailable('the messages', stored);
    const questions = messages.filter(({ author }) => author === 'USER');
    const pairs = questions.map(({ id, conversation }) =>
      messages.find((each) => each.id === id + 1 && each.conversation === conversation && each.author === 'ASSISTANT'),
    );
    expect(pairs.filter((answer) => answer === undefined)).toEqual([]);
    expect(messages).toHaveLength(2 * questions.length);
    expect(new Set(pairs.map((answer) => answer?.state))).toEqual(new Set(states));
    for (const [name, text] of answered) {
      const texts = questions.flatMap((each, index) => (each.text === questionOf(name) ? [pairs[index]?.text] : []));
      expect([name, texts]).toEqual([name, [text]]);
    }
    expect(questions).toHaveLength(answered.size + streamed);
  };

  it('a key is answered once, whichever commit its process dies at', async () => {
    const retrieval = await processId('retrieval');
    let chat = await processId('chat');
    await ask('caso uno').catch(() => undefined);
    await dies(retrieval);
    for (let death = 0; death < 2; death += 1) {
      await retryUntilAvailable('the death of chat', async () => {
        await ask('caso uno').catch(() => undefined);
        return lives(chat) ? undefined : true;
      });
      await until('the next process of chat', () => installation.processesOf('chat').some((pid) => pid !== chat));
      chat = await processId('chat');
    }
    phases += 3;
    interrupted += 2;
    await answers('caso uno');
    await isConsistent();
  });

  it('a stream is stored as a whole or not at all, whichever commit its process dies at', async () => {
    const conversation = await opened();
    for (const pairs of [0, 1]) {
      const chat = await processId('chat');
      const { frames } = await retryUntilAvailable('a stream', async () => {
        const answer = await stream('caso dos', conversation);
        return answer.status === 200 ? answer : undefined;
      });
      await dies(chat);
      expect(endsOf(frames)).toEqual([]);
      [phases, interrupted, streamed] = [phases + 1, interrupted + 1 - pairs, streamed + pairs];
      await isConsistent();
    }
  });

  it('nothing is stored of answers whose process dies while the model writes', async () => {
    const conversation = await opened();
    const { conversation_id } = (await answers('caso cinco')).body;
    const names = killedAt.map((_, index) => [`caso a${index}`, `caso s${index}`] as const);
    const reached = killedAt.flatMap((part, index) => (names[index] ?? []).map((name) => model.stopBefore(name, part)));
    const sent = names.map(([name]) => ask(name).catch(() => undefined));
    const streams = names.map(([, name]) => stream(name, conversation));
    const isRewriting = model.stopBefore(REWRITING, 0);
    sent.push(ask(REFERRING, { conversation_id }).catch(() => undefined));
    await Promise.all([...reached, isRewriting]);
    await kill('chat');
    await Promise.all(sent);
    for (const { frames } of await Promise.all(streams)) expect(endsOf(frames)).toEqual([]);
    phases += 2 * killedAt.length + 1;
    interrupted += 2 * killedAt.length;
    await isConsistent();
    model.release();
    for (const [name] of names) await answers(name);
    await answers(REFERRING, { conversation_id });
    await isConsistent();
  });

  it('an answer whose gateway dies is stored once', async () => {
    const isReached = model.stopBefore('caso tres', 3);
    const sent = ask('caso tres').catch(() => undefined);
    await isReached;
    await kill('gateway');
    await sent;
    [phases, interrupted] = [phases + 1, interrupted + 1];
    model.release();
    await answers('caso tres');
    await isConsistent();
  });

  it('an answer whose database dies is stored once', async () => {
    const isReached = model.stopBefore('caso cuatro', 3);
    const sent = ask('caso cuatro').catch(() => undefined);
    await isReached;
    await kill('database');
    model.release();
    await kill('chat');
    await sent;
    [phases, interrupted] = [phases + 1, interrupted + 1];
    await answers('caso cuatro');
    await isConsistent();
  });

  it('a stream whose process stops is stored as an error, and refunded', async () => {
    const conversation = await opened();
    const [chat, before] = [await processId('chat'), await used()];
    void model.stopBefore('caso siete', 8);
    const { frames } = await askStreamed({
      ...{ port: installation.port, bearer: session, conversation, question: questionOf('caso siete') },
      onText: (text) => void (text.includes('\n\n') && process.kill(chat, 'SIGTERM')),
    });
    await dies(chat);
    expect(frames).toEqual([{ text: `${WRITTEN.split('. ')[0] ?? ''}.` }, { error: expect.any(String) as string }]);
    streamed += 1;
    await isConsistent(['DONE', 'ERROR']);
    expect((await stored()).at(-1)).toMatchObject({ state: 'ERROR', text: textOf(frames) });
    await until('the refund', async () => (await used()) === before);
  });

  it('every phase was killed, and each attempt cost one retrieval at most', async () => {
    const counted = await used();
    expect(phases).toBe(2 * killedAt.length + OTHER_PHASES);
    // One streamed answer was refunded.
    expect(counted).toBeGreaterThanOrEqual(answered.size + streamed - 1);
    expect(counted).toBeLessThanOrEqual(answered.size + streamed + interrupted - 1);
  });

  it('each call of the model has its row, and a killed one keeps its most tokens', async () => {
    interface Counted {
      readonly outcome: string;
      readonly counted: number;
    }
    const calls = (): Promise<Counted[]> =>
      installation.rows(
        'operations',
        'select outcome, counted::int as counted from operations.model_call where group_id = $1',
      );
    const isReported = async (): Promise<boolean> =>
      (await calls()).filter(({ outcome }) => outcome === 'COMPLETED').length >= answered.size;
    await until('the reports of all calls', isReported);
    const rows = await calls();
    const running = rows.filter(({ outcome }) => outcome === 'RUNNING');
    expect(rows.length).toBeGreaterThanOrEqual(model.received.length);
    expect(running.length).toBeGreaterThanOrEqual(2 * killedAt.length);
    for (const { counted } of running) expect(counted).toBeGreaterThan(18);
    for (const { outcome, counted } of rows) if (outcome === 'COMPLETED') expect(counted).toBe(18);
    const { quotas } = (await installation.ask('GET', '/v1/usage')).body as {
      quotas: { feature: string; used: number }[];
    };
    const sum = rows.reduce((all, { counted }) => all + counted, 0);
    expect(quotas.find(({ feature }) => feature === 'MODEL_TOKENS')?.used).toBe(sum);
  });
};
