import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';

/** SQLSTATE of a wrong password. */
const WRONG_PASSWORD = '28P01';

const isWrongPassword = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === WRONG_PASSWORD;

/** The passwords in a setting: one a line, the newest first. Several are accepted while a password is replaced. */
const passwordsIn = (setting: string): readonly string[] => {
  const lines = setting.split('\n').map((line) => line.trim());
  return lines.length === 1 ? [setting] : lines.filter((line) => line !== '');
};

/** The password that a setting gives to its role. */
export const newestOf = (setting: string): string => passwordsIn(setting)[0] ?? '';

/** The passwords that a role may have. All connections of a pool use the one that the server accepted last. */
class Passwords {
  private place = 0;

  constructor(private readonly texts: readonly string[]) {}

  get current(): string {
    return this.texts[this.place] ?? '';
  }

  /** Tries that reach each password, also where another connection changes the current one meanwhile. */
  get tries(): number {
    return this.texts.length + 1;
  }

  /** Moves on from a password, unless another connection has done so. */
  refused(password: string): void {
    if (password === this.current) this.place = (this.place + 1) % this.texts.length;
  }

  /** Tries again while the server refuses the password of a connection. */
  async untilAccepted<T>(connect: () => Promise<T>): Promise<T> {
    for (let left = this.tries - 1; ; left -= 1) {
      try {
        return await connect();
      } catch (error) {
        if (!isWrongPassword(error) || left === 0) throw error;
      }
    }
  }
}

/** The callback of `Client.connect`, as the types of the driver declare it. */
type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

/** A client with the current password, which reports it where the server refuses it. */
const clientWith = (passwords: Passwords): new (config?: ClientConfig) => Client =>
  class extends Client {
    private readonly offered: string;

    constructor(config?: ClientConfig) {
      const password = passwords.current;
      super({ ...config, password });
      this.offered = password;
    }

    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | undefined {
      if (callback === undefined) return super.connect().catch((error: unknown) => this.failed(error));
      const answer = callback as (error: Error | null, client?: Client) => void;
      // Within the same tick: the pool listens for errors of the connection from then on.
      super.connect((error: Error | null, client?: Client) => {
        if (isWrongPassword(error)) passwords.refused(this.offered);
        answer(error, client);
      });
      return undefined;
    }

    private failed(error: unknown): never {
      if (isWrongPassword(error)) passwords.refused(this.offered);
      throw error;
    }
  };

type Acquired = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void;

/**
 * A pool whose role may have one of several passwords. A new connection that is refused is tried with the next one:
 * replacing a password fails no statement.
 */
class RotatingPool extends Pool {
  private readonly passwords: Passwords;

  constructor(config: PoolConfig, texts: readonly string[]) {
    const passwords = new Passwords(texts);
    super({ ...config, Client: clientWith(passwords) });
    this.passwords = passwords;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<PoolClient> | undefined {
    const acquired = this.passwords.untilAccepted(() => super.connect());
    if (callback === undefined) return acquired;
    acquired.then(
      (client) => callback(undefined, client, (release) => client.release(release as Error | boolean | undefined)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }
}

/** A pool for a login whose setting may contain several passwords. */
export const poolOf = (config: PoolConfig, setting: string): Pool => {
  const texts = passwordsIn(setting);
  return texts.length === 1 ? new Pool(config) : new RotatingPool(config, texts);
};

/**
 * Connects a client of its own, with the first password that the server accepts.
 * @param prepare adds listeners before the connection opens; called for each try
 */
export const connectClient = (
  config: ClientConfig,
  setting: string,
  prepare: (client: Client) => void = () => undefined,
): Promise<Client> => {
  const passwords = new Passwords(passwordsIn(setting));
  const One = clientWith(passwords);
  return passwords.untilAccepted(async () => {
    const client = new One(config);
    client.on('error', () => undefined);
    prepare(client);
    await client.connect();
    return client;
  });
};
