/**
 * Does the same piece of work once where it is asked for several times at once, or shortly after: the last few results
 * are kept, because what remembers them for good does so a moment later.
 */
export class Once<T> {
  private readonly results = new Map<string, Promise<T>>();

  constructor(private readonly most = 256) {}

  run(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.results.get(key);
    if (known !== undefined) return known;
    const result = work();
    this.results.set(key, result);
    result.catch(() => this.results.delete(key));
    const [oldest] = this.results.keys();
    if (this.results.size > this.most && oldest !== undefined) this.results.delete(oldest);
    return result;
  }
}
