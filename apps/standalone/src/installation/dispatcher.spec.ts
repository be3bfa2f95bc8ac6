import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { internalDispatcher, publicDispatcher } from './dispatcher';
import { mergeMetrics } from './metrics-text';

/** Records which handler received which request. */
const asked: string[] = [];
const handler =
  (name: string): RequestListener =>
  ({ url }) =>
    void asked.push(`${name} ${url}`);
const handlers = new Map(['gateway', 'auth', 'retrieval', 'chat'].map((name) => [name, handler(name)]));

const send = async (dispatcher: RequestListener, url: string): Promise<{ status: number; body: string }> => {
  asked.length = 0;
  const answer = { status: 0, body: '' };
  const response = {
    writeHead(status: number) {
      answer.status = status;
      return response;
    },
    end(body = '') {
      answer.body = body;
    },
  };
  dispatcher({ url } as IncomingMessage, response as Partial<ServerResponse> as ServerResponse);
  await new Promise((resolve) => setImmediate(resolve));
  return answer;
};

describe('the public dispatcher', () => {
  it.each([
    ['/v1/documents?x=1', 'gateway'],
    ['/', 'gateway'],
    ['/docs/index.html', 'gateway'],
    ['/auth/login', 'auth'],
    ['/usuarios', 'auth'],
    ['/authority', 'gateway'],
    ['/chat/conversaciones', 'chat'],
    ['/nothing', 'gateway'],
  ])('the public path %s reaches %s', async (url, owner) => {
    await send(publicDispatcher(handlers), url);
    expect(asked).toEqual([`${owner} ${url}`]);
  });
});

describe('the internal dispatcher', () => {
  const together = {
    readiness: () => Promise.resolve({ auth: true, retrieval: false }),
    metrics: () => Promise.resolve('figures'),
    keys: () => [{ kid: 'k' }],
  };
  const dispatcher = internalDispatcher(handlers, together);

  it('a Call reaches the owner of its code', async () => {
    await send(dispatcher, '/internal/calls/documents.search');
    expect(asked).toEqual(['retrieval /internal/calls/documents.search']);
  });
  it('a prefixed path reaches its service without the prefix', async () => {
    await send(dispatcher, '/auth/health/ready');
    expect(asked).toEqual(['auth /health/ready']);
  });
  it('the program is ready when every service is ready', async () => {
    expect(await send(dispatcher, '/health/ready')).toEqual({
      status: 503,
      body: '{"ready":false,"checks":{"auth":true,"retrieval":false}}',
    });
  });
  it.each([
    ['/health/live', 200, '{"live":true}'],
    ['/metrics', 200, 'figures'],
    ['/internal/jwks', 200, '{"keys":[{"kid":"k"}]}'],
    ['/internal/calls/no.such', 404, '{}'],
    ['/v1/session', 404, '{}'],
  ])('the internal path %s returns %s', async (url, status, body) => {
    expect(await send(dispatcher, url)).toEqual({ status, body });
    expect(asked).toEqual([]);
  });
});

describe('merged metrics', () => {
  it('merged metrics contain each family once and every sample', () => {
    const one = '# HELP a Things\n# TYPE a counter\na{service="one"} 1\n';
    const two = '# HELP a Things\n# TYPE a counter\na{service="two"} 2\n\n# HELP b Others\n# TYPE b gauge\nb 3\n';
    expect(mergeMetrics([one, two]).split('\n')).toEqual([
      '# HELP a Things',
      '# TYPE a counter',
      'a{service="one"} 1',
      'a{service="two"} 2',
      '# HELP b Others',
      '# TYPE b gauge',
      'b 3',
      '',
    ]);
  });
});
