import { checkedKey, kindPrefix, type ObjectOwner } from './object-key';

/** An object as a listing shows it. */
export interface StoredObject {
  readonly key: string;
  /** When it was written last, by the clock of the store. */
  readonly modifiedAt: Date;
}

/** A part of a listing. */
export interface Page {
  /** Keys after this one; null from the first. */
  readonly after: string | null;
  readonly limit: number;
}

/** Bytes under generated keys, one key space a group. */
export abstract class ObjectStore {
  /** Whether it is a separate engine, which can be down while this process runs. */
  readonly remote: boolean = false;

  /** Stores the bytes; once this resolves, they survive the end of the process. */
  put(owner: ObjectOwner, key: string, bytes: Uint8Array): Promise<void> {
    return this.write(checkedKey(owner, key), bytes);
  }

  /**
   * Stores the bytes unless there is an object under the key; answers whether it stored them. Of concurrent calls one
   * does.
   */
  create(owner: ObjectOwner, key: string, bytes: Uint8Array): Promise<boolean> {
    return this.writeNew(checkedKey(owner, key), bytes);
  }

  /** @throws ObjectMissing */
  get(owner: ObjectOwner, key: string): Promise<Buffer> {
    return this.read(checkedKey(owner, key));
  }

  /** Deletes the object; idempotent. */
  delete(owner: ObjectOwner, key: string): Promise<void> {
    return this.remove(checkedKey(owner, key));
  }

  /** Whether there is an object under the key. */
  has(owner: ObjectOwner, key: string): Promise<boolean> {
    return this.exists(checkedKey(owner, key));
  }

  /** The objects of one kind in the order of their keys, page by page. @throws ForeignObjectKey for what is no kind. */
  page(owner: ObjectOwner, kind: string, page: Page): Promise<readonly StoredObject[]> {
    return this.pageOf(kindPrefix(owner, kind), page);
  }

  /** Deletes remains of writes that were interrupted before this moment; answers how many. */
  abstract tidy(owner: ObjectOwner, before: Date): Promise<number>;

  /** All keys of the group. */
  abstract list(owner: ObjectOwner): AsyncIterable<string>;

  /**
   * Checks at a start that objects can be written as configured. An engine that is down passes: it may return.
   * @throws ObjectStoreUnusable, which names what to set
   */
  abstract assertWritable(): Promise<void>;

  /** @throws when the store cannot be used now */
  ping(): Promise<void> {
    return Promise.resolve();
  }

  /** Releases connections; the store is not used afterwards. */
  close(): void {
    // A store without connections has nothing to release.
  }

  protected abstract write(key: string, bytes: Uint8Array): Promise<void>;
  protected abstract writeNew(key: string, bytes: Uint8Array): Promise<boolean>;
  protected abstract read(key: string): Promise<Buffer>;
  protected abstract exists(key: string): Promise<boolean>;
  protected abstract pageOf(prefix: string, page: Page): Promise<readonly StoredObject[]>;
  protected abstract remove(key: string): Promise<void>;
}
