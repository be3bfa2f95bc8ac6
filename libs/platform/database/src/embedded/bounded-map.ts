/** A map that forgets its oldest entries beyond a number of them. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly most: number) {}

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  set(key: K, value: V): V {
    this.entries.set(key, value);
    if (this.entries.size > this.most) for (const oldest of this.entries.keys()) return this.forget(oldest, value);
    return value;
  }

  private forget(key: K, value: V): V {
    this.entries.delete(key);
    return value;
  }
}
