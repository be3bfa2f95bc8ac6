import { Redis } from 'ioredis';
import { EngineDown } from '@acervo/contracts';
import { redisOptions, type RedisSettings } from './redis-settings';

const REDIS = 'Redis';
/** Longest wait for one command, waiting for a connection included. */
const COMMAND_MS = 2_000;

/** The server answered that it will not do this: a wrong password, a right that is lacking, a setting that loses data. */
export class RedisRefused extends Error {
  constructor(reason: string) {
    super(`${REDIS} ${reason}`);
    this.name = 'RedisRefused';
  }
}

const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';

/** Answers that mean what a server means that is not there: it loads, it hands over, it has no copies. */
const PASSING = /^(LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|READONLY|NOREPLICAS)\b/;

/** What an error of the driver means; the words of the server may hold names of keys and are left out. */
const understood = (error: unknown): Error => {
  const { name, message, code } = error as Error & { code?: string };
  const [kind = name] = /^[A-Z]+\b/.exec(message) ?? [];
  if (!isReply(error)) return new EngineDown(REDIS, code ?? name);
  return PASSING.test(message)
    ? new EngineDown(REDIS, kind)
    : new RedisRefused(`refused with ${kind}; see address, login and rights in the configuration.`);
};

/** What a server has to be set to, by the line of INFO that tells it. */
const DURABLE = [
  { line: 'aof_enabled:1', advice: 'set "appendonly yes"' },
  { line: 'maxmemory_policy:noeviction', advice: 'set "maxmemory-policy noeviction"' },
] as const;

/** What has to be changed in a server so that nothing is lost or thrown out of it, from what INFO answers. */
export const durabilityProblems = (info: string): readonly string[] => {
  const lines = new Set(info.split(/\r?\n/));
  return DURABLE.filter(({ line }) => !lines.has(line)).map(({ advice }) => advice);
};

/** One connection to Redis for short commands. Every method rejects with EngineDown within seconds when it is away. */
export class RedisClient {
  private readonly redis: Redis;
  private trouble: unknown;

  constructor(readonly settings: RedisSettings) {
    this.redis = new Redis({
      ...redisOptions(settings),
      lazyConnect: true,
      commandTimeout: COMMAND_MS,
      // What was under way when a connection broke may have been done: whoever asked decides.
      autoResendUnfulfilledCommands: false,
    });
    // Whoever asks next is told; a listener is what keeps an error from ending the process.
    this.redis.on('error', (error) => (this.trouble = error));
    this.redis.on('ready', () => (this.trouble = undefined));
  }

  /** Runs a script on one key, as a whole. @throws EngineDown, RedisRefused */
  run(script: string, key: string, args: readonly (string | number)[]): Promise<unknown> {
    return this.asked(() => this.redis.eval(script, 1, `${this.settings.prefix}:${key}`, ...args));
  }

  async ping(): Promise<void> {
    await this.asked(() => this.redis.ping());
  }

  /** Whether the server keeps what it is given. @throws RedisRefused with what to set, EngineDown */
  async assertDurable(): Promise<void> {
    const problems = durabilityProblems(await this.asked(() => this.redis.info()));
    if (problems.length > 0)
      throw new RedisRefused(
        `would lose jobs or counts: ${problems.join(' and ')} in its configuration, then start again.`,
      );
  }

  close(): void {
    this.redis.disconnect();
  }

  private async asked<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await command();
    } catch (error) {
      throw understood(isReply(error) ? error : (this.trouble ?? error));
    }
  }
}
