import { Redis } from 'ioredis';
import { EngineDown } from '@acervo/contracts';
import { redisOptions, type RedisSettings } from './redis-settings';

const REDIS = 'Redis';
/** Longest wait for one command, waiting for a connection included. */
const COMMAND_MS = 2_000;

/** The server refused the operation: a wrong password, a missing right, a setting that loses data. */
export class RedisRefused extends Error {
  constructor(reason: string) {
    super(`${REDIS} ${reason}`);
    this.name = 'RedisRefused';
  }
}

const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';

/** Answers that count as an absent server: it is loading, failing over, or has no replicas. */
const PASSING = /^(LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|READONLY|NOREPLICAS)\b/;

/** Translates an error of the driver; the server's text may contain names of keys and is dropped. */
const understood = (error: unknown): Error => {
  const { name, message, code } = error as Error & { code?: string };
  const [kind = name] = /^[A-Z]+\b/.exec(message) ?? [];
  if (!isReply(error)) return new EngineDown(REDIS, code ?? name);
  return PASSING.test(message)
    ? new EngineDown(REDIS, kind)
    : new RedisRefused(`refused with ${kind}; see address, login and rights in the configuration.`);
};

/** Required settings of a server, by the line of INFO that reports them. */
const DURABLE = [
  { line: 'aof_enabled:1', advice: 'set "appendonly yes"' },
  { line: 'maxmemory_policy:noeviction', advice: 'set "maxmemory-policy noeviction"' },
] as const;

/** Changes that a server needs so that it neither loses nor evicts data, from the answer of INFO. */
export const durabilityProblems = (info: string): readonly string[] => {
  const lines = new Set(info.split(/\r?\n/));
  return DURABLE.filter(({ line }) => !lines.has(line)).map(({ advice }) => advice);
};

/**
 * One connection to Redis for short commands. Every method rejects with EngineDown within seconds while Redis is away.
 */
export class RedisClient {
  private readonly redis: Redis;
  private trouble: unknown;

  constructor(readonly settings: RedisSettings) {
    this.redis = new Redis({
      ...redisOptions(settings),
      lazyConnect: true,
      commandTimeout: COMMAND_MS,
      // A command in progress when the connection broke may have been executed: the caller decides.
      autoResendUnfulfilledCommands: false,
    });
    // The next caller gets the error; without a listener it would end the process.
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

  /** Checks that the server persists its data. @throws RedisRefused with the settings to change, EngineDown */
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
