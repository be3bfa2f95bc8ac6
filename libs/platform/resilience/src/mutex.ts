/** Serialises work within this process, in the order of arrival. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** @throws what the work throws; the next work runs all the same */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(work);
    this.last = mine.catch(() => undefined);
    return mine;
  }

  /** Resolves when all work so far is over. */
  async settled(): Promise<void> {
    await this.last;
  }
}

/** A mutex for each key: work under other keys does not wait. */
export class KeyedMutex {
  private readonly mutexes = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** @throws what the work throws */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const entry = this.mutexes.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.mutexes.set(key, entry);
    entry.users += 1;
    try {
      return await entry.mutex.run(work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.mutexes.delete(key);
    }
  }
}
