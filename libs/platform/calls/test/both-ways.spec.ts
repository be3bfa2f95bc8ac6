import { InternalFailure, NotFound, RateLimited } from '@acervo/contracts';
import { eventually } from '@acervo/platform-testing';
import { anonymous, type Scope, type WorkScope, WorkScope as Work } from '@acervo/rbac';
import { CallUnanswered, FrameRefused, Handles } from '../src';
import {
  type Answer,
  asked,
  gatewayServer,
  failureOf,
  greeted,
  GROUP,
  inProcess,
  overHttp,
  type Question,
  KeyRing,
  serve,
  type Way,
  worked,
} from './support';

/** Longer than any test: a nested call ends before only by the wait of its own caller. */
const NO_LIMIT_MS = 600_000;

/** Answers by its input; the same object serves both ways. */
class Gateway {
  /** Calls that it sends in turn. */
  onward: (text: string) => Promise<unknown> = () => Promise.reject(new Error('nowhere to ask'));
  /** Results of those calls, with their times. */
  readonly onwards: Promise<unknown>[] = [];
  /** Texts of the greetings that arrived. */
  readonly greetings: string[] = [];

  @Handles(asked)
  async ask(scope: Scope, { text, times }: Question): Promise<Answer> {
    if (text === 'nowhere') throw new NotFound();
    if (text === 'busy') throw new RateLimited(7);
    if (text === 'crash') throw new Error('the password is hunter2');
    if (text === 'onward') await this.passOn('slow');
    if (text === 'late') {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await this.passOn('late');
    }
    if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, NO_LIMIT_MS).unref());
    return { reply: `${scope.userCode} ${text} ${times}`, more: null, ...{ secret: 'stays' } };
  }
  @Handles(worked)
  work(scope: WorkScope, { text }: Question): Promise<Answer> {
    return Promise.resolve({ reply: `${scope.groupId} ${scope.cause} ${text}` });
  }
  @Handles(greeted)
  async answerGreeting(_scope: unknown, { text }: Question): Promise<Answer> {
    this.greetings.push(text);
    if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, NO_LIMIT_MS).unref());
    return { reply: `hello ${text}` };
  }
  private async passOn(text: string): Promise<void> {
    const asked = this.onward(text);
    this.onwards.push(failureOf(asked));
    await asked;
  }
}

describe.each(['in one process', 'over the network'])('a call %s', (name) => {
  let keyRing: KeyRing;
  let way: Way;
  let gateway: Gateway;
  const question = (text: string): Question => ({ text, times: 2 });
  const ask = async (text: string, options = {}): Promise<Answer> =>
    way.as('chat').send(asked, await keyRing.scope(), question(text), options);

  beforeAll(async () => {
    keyRing = await KeyRing.make();
    gateway = new Gateway();
    const server = gatewayServer(gateway);
    way = name === 'in one process' ? inProcess(server) : overHttp(await serve(server, keyRing), keyRing);
    gateway.onward = (text) => way.as('gateway').send(greeted, anonymous, question(text), { deadlineMs: NO_LIMIT_MS });
  });
  afterAll(() => way.close());

  it('a call is answered with declared fields, as instances under its scope', async () => {
    expect({ ...(await ask('hi')) }).toEqual({ reply: 'ana@example.org hi 2', more: null });
  });
  it('a listed caller sends work for a group', async () => {
    const scope = new Work(GROUP, 'ingestion', 'run-1');
    expect(await way.as('ingestion').send(worked, scope, question('x'))).toMatchObject({ reply: `${GROUP} run-1 x` });
  });
  it('nested calls end before the wait of their own caller', async () => {
    /** Asks until a nested call has begun: a call that a stall delays beyond its deadline may not reach its owner. */
    const nested = (text: string, deadlineMs: number): Promise<unknown> =>
      eventually('a nested call has ended', async () => {
        expect(await failureOf(ask(text, { deadlineMs }))).toBeInstanceOf(CallUnanswered);
        return gateway.onwards.shift();
      });
    expect(await nested('onward', 400)).toBeInstanceOf(CallUnanswered);
    expect(await nested('late', 200)).toBeInstanceOf(CallUnanswered);
    expect(gateway.greetings).toContain('slow');
    expect(gateway.greetings).not.toContain('late');
  });
  it('an anonymous call needs no scope', async () => {
    expect(await way.as('chat').send(greeted, anonymous, question('you'))).toMatchObject({ reply: 'hello you' });
  });
  it('errors of the owner arrive as their classes', async () => {
    expect(await failureOf(ask('nowhere'))).toBeInstanceOf(NotFound);
    const busy = await failureOf(ask('busy'));
    expect(busy).toBeInstanceOf(RateLimited);
    expect(busy).toMatchObject({ code: 'RATE_LIMITED', details: { retry_after_seconds: 7 } });
  });
  it('a crash of the owner arrives without its details', async () => {
    const failure = await failureOf(ask('crash'));
    expect(failure).toBeInstanceOf(InternalFailure);
    expect((failure as Error).message).not.toContain('hunter2');
  });
  it('a call gives up when its time is over', async () => {
    expect(await failureOf(ask('slow', { deadlineMs: 100 }))).toBeInstanceOf(Error);
    const late = await failureOf(ask('slow', { deadlineMs: 100 }));
    expect([CallUnanswered.name, 'Error']).toContain((late as Error).name);
  });
  it('a call from an unlisted caller is refused', async () => {
    expect(await failureOf(way.as('retrieval').send(asked, await keyRing.scope(), question('hi')))).toBeInstanceOf(
      FrameRefused,
    );
    expect(await failureOf(way.as('chat').send(worked, new Work(GROUP, 'chat', 'x'), question('hi')))).toBeInstanceOf(
      FrameRefused,
    );
  });
  it('an input that does not match its class is refused', async () => {
    await expect(ask('x'.repeat(41))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { invalid_fields: ['pregunta'] },
    });
  });
});
