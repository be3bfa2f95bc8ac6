import { InternalFailure, NotFound, RateLimited } from '@acervo/contracts';
import { anonymous, type Scope, type WorkScope, WorkScope as Work } from '@acervo/rbac';
import { CallServer, CallUnanswered, FrameRefused, Handles } from '../src';
import {
  type Answer,
  asked,
  failureOf,
  greeted,
  GROUP,
  inProcess,
  overHttp,
  type Question,
  Ring,
  serve,
  type Way,
  worked,
} from './support';

/** Answers by what is asked: the same object behind both ways. */
class Chat {
  /** How it asks in turn. */
  onward: (text: string) => Promise<unknown> = () => Promise.reject(new Error('nowhere to ask'));
  /** What those questions came to, and when. */
  readonly onwards: Promise<unknown>[] = [];
  greetings = 0;

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
    if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, 500));
    return { said: `${scope.userCode} ${text} ${times}`, more: null, ...{ secret: 'stays' } };
  }
  @Handles(worked)
  work(scope: WorkScope, { text }: Question): Promise<Answer> {
    return Promise.resolve({ said: `${scope.groupId} ${scope.cause} ${text}` });
  }
  @Handles(greeted)
  async greet(_scope: unknown, { text }: Question): Promise<Answer> {
    this.greetings += 1;
    if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, 10_000).unref());
    return { said: `hello ${text}` };
  }
  private async passOn(text: string): Promise<void> {
    const asked = this.onward(text);
    this.onwards.push(failureOf(asked));
    await asked;
  }
}

describe.each(['in one process', 'over the network'])('a call %s', (name) => {
  let ring: Ring;
  let way: Way;
  let chat: Chat;
  const question = (text: string): Question => ({ text, times: 2 });
  const ask = async (text: string, options = {}): Promise<Answer> =>
    way.as('gateway').send(asked, await ring.scope(), question(text), options);

  beforeAll(async () => {
    ring = await Ring.make();
    chat = new Chat();
    const server = new CallServer({ service: 'chat', providers: [chat] });
    way = name === 'in one process' ? inProcess(server) : overHttp(await serve(server, ring), ring);
    chat.onward = (text) => way.as('chat').send(greeted, anonymous, question(text), { deadlineMs: 60_000 });
  });
  afterAll(() => way.close());

  it('is answered with declared fields only, as instances and under the caller’s scope', async () => {
    expect({ ...(await ask('hi')) }).toEqual({ said: 'ana@example.org hi 2', more: null });
  });
  it('carries work for a group from a caller that is listed', async () => {
    const scope = new Work(GROUP, 'ingestion', 'run-1');
    expect(await way.as('ingestion').send(worked, scope, question('x'))).toMatchObject({ said: `${GROUP} run-1 x` });
  });
  it('leads to calls that wait no longer than its own caller does, and to none once that time is over', async () => {
    const began = Date.now();
    expect(await failureOf(ask('onward', { deadlineMs: 400 }))).toBeInstanceOf(CallUnanswered);
    expect(await chat.onwards.at(-1)).toBeInstanceOf(CallUnanswered);
    expect(Date.now() - began).toBeLessThan(5_000);
    const before = chat.greetings;
    expect(await failureOf(ask('late', { deadlineMs: 200 }))).toBeInstanceOf(CallUnanswered);
    while (chat.onwards.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await chat.onwards.at(-1)).toBeInstanceOf(CallUnanswered);
    expect(chat.greetings).toBe(before);
  });
  it('needs no scope where nobody is known yet', async () => {
    expect(await way.as('gateway').send(greeted, anonymous, question('you'))).toMatchObject({ said: 'hello you' });
  });
  it('raises the errors of its owner as their classes', async () => {
    expect(await failureOf(ask('nowhere'))).toBeInstanceOf(NotFound);
    const busy = await failureOf(ask('busy'));
    expect(busy).toBeInstanceOf(RateLimited);
    expect(busy).toMatchObject({ code: 'RATE_LIMITED', details: { retry_after_seconds: 7 } });
  });
  it('says of a crash that there was one, and nothing of what it said', async () => {
    const failure = await failureOf(ask('crash'));
    expect(failure).toBeInstanceOf(InternalFailure);
    expect((failure as Error).message).not.toContain('hunter2');
  });
  it('gives up when its time is over', async () => {
    expect(await failureOf(ask('slow', { deadlineMs: 100 }))).toBeInstanceOf(Error);
    const late = await failureOf(ask('slow', { deadlineMs: 100 }));
    expect([CallUnanswered.name, 'Error']).toContain((late as Error).name);
  });
  it('is refused from a caller that is not listed', async () => {
    expect(await failureOf(way.as('retrieval').send(asked, await ring.scope(), question('hi')))).toBeInstanceOf(
      FrameRefused,
    );
    expect(
      await failureOf(way.as('gateway').send(worked, new Work(GROUP, 'gateway', 'x'), question('hi'))),
    ).toBeInstanceOf(FrameRefused);
  });
  it('refuses an input that does not match its class', async () => {
    await expect(ask('x'.repeat(41))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { invalid_fields: ['pregunta'] },
    });
  });
});
