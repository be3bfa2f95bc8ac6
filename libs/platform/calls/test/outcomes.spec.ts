import { NotFound, RateLimited, Unavailable } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { anonymous } from '@acervo/rbac';
import { CallUnanswered, Handles, RoutedCalls } from '../src';
import { type Answer, asked, gatewayServer, failureOf, greeted, type Question, worked } from './support';

/** Longer than any test. */
const NO_LIMIT_MS = 600_000;

class Moody {
  @Handles(asked) ask(): Promise<Answer> {
    return Promise.resolve({ reply: '' });
  }
  @Handles(worked) work(): Promise<Answer> {
    return Promise.resolve({ reply: '' });
  }
  @Handles(greeted)
  async answerGreeting(_scope: unknown, { text }: Question): Promise<Answer> {
    if (text === 'absent') throw new NotFound();
    if (text === 'often') throw new RateLimited(1);
    if (text === 'away') throw new Unavailable('The database does not answer.');
    if (text === 'crash') throw new Error('broken');
    if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, NO_LIMIT_MS).unref());
    return { reply: text };
  }
}

describe('the outcome of a call', () => {
  it.each([
    ['fine', 'ok'],
    ['absent', 'refused'],
    ['often', 'refused'],
    ['away', 'failed'],
    ['crash', 'failed'],
    ['slow', 'unanswered'],
  ])('a call that is %s counts as %s', async (text, outcome) => {
    const metrics = new Metrics('chat');
    const local = new Map([['gateway', gatewayServer(new Moody())]]);
    const nowhere = { send: () => Promise.reject(new CallUnanswered('gateway.greet', 'there is no network')) };
    const calls = new RoutedCalls('chat', local, nowhere, metrics);
    const sent = calls.send(
      greeted,
      anonymous,
      { text, times: 1 },
      { deadlineMs: text === 'slow' ? 100 : NO_LIMIT_MS },
    );
    if (outcome === 'ok') await sent;
    else await failureOf(sent);
    const counted = (await metrics.registry.metrics()).match(/^acervo_call_seconds_count.*$/gm);
    expect(counted).toEqual([expect.stringMatching(`outcome="${outcome}"} 1$`)]);
  });
});
