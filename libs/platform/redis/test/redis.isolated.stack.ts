import { connect } from 'node:net';
import { EngineDown } from '@acervo/contracts';
import { describeOnStack, stackVariable } from '@acervo/platform-testing';
import { RedisClient, RedisRefused, type RedisSettings } from '../src';

const opened: RedisClient[] = [];
const open = (over: Partial<RedisSettings> = {}): RedisClient => {
  const client = new RedisClient({ url: stackVariable('ACERVO_REDIS_URL'), prefix: 'test', ...over });
  opened.push(client);
  return client;
};

/** Sends the server a command that the product never sends. */
const configure = async (...words: readonly string[]): Promise<void> => {
  const { port, password } = new URL(stackVariable('ACERVO_REDIS_URL'));
  const socket = connect(Number(port), '127.0.0.1');
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('error', reject);
    socket.on('data', (data) => {
      text += data.toString();
      if (text.split('\r\n').length > 2) resolve(text);
    });
  });
  socket.write(`AUTH ${password}\r\nCONFIG SET ${words.join(' ')}\r\n`);
  expect(await answer).toBe('+OK\r\n+OK\r\n');
  socket.destroy();
};

describeOnStack('a connection to Redis', ['redis'], () => {
  afterEach(() => opened.splice(0).forEach((each) => each.close()));

  it('a durable server is accepted', async () => {
    await expect(open().assertDurable()).resolves.toBeUndefined();
  });

  it('a server that evicts jobs is refused with the required setting', async () => {
    await configure('maxmemory-policy', 'allkeys-lru');
    try {
      await expect(open().assertDurable()).rejects.toThrow(/set "maxmemory-policy noeviction"/);
    } finally {
      await configure('maxmemory-policy', 'noeviction');
    }
  });

  it('a server without a file is refused with the required setting', async () => {
    await configure('appendonly', 'no');
    try {
      await expect(open().assertDurable()).rejects.toThrow(/set "appendonly yes"/);
    } finally {
      await configure('appendonly', 'yes');
    }
  });

  it('a wrong password differs from an absent server', async () => {
    await expect(open({ password: 'wrong' }).ping()).rejects.toThrow(RedisRefused);
    await expect(open({ url: 'redis://127.0.0.1:1' }).ping()).rejects.toThrow(EngineDown);
  });
});
