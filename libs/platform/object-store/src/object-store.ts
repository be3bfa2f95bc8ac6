import { checkedKey, type ObjectOwner } from './object-key';

/** Bytes under generated keys, one key space a group. */
export abstract class ObjectStore {
  /** Whether it is an engine of its own, which can be down while this process runs. */
  readonly remote: boolean = false;

  /** Keeps the bytes; when this returns, they survive the end of the process. */
  put(owner: ObjectOwner, key: string, bytes: Uint8Array): Promise<void> {
    return this.write(checkedKey(owner, key), bytes);
  }

  /** @throws ObjectMissing */
  get(owner: ObjectOwner, key: string): Promise<Buffer> {
    return this.read(checkedKey(owner, key));
  }

  /** Deletes the object; one that is not there is deleted already. */
  delete(owner: ObjectOwner, key: string): Promise<void> {
    return this.remove(checkedKey(owner, key));
  }

  /** All keys of the group. */
  abstract list(owner: ObjectOwner): AsyncIterable<string>;

  /** @throws when the store cannot be used now */
  ping(): Promise<void> {
    return Promise.resolve();
  }

  /** Frees what is held; nothing is asked for afterwards. */
  close(): void {
    // A store without connections holds nothing.
  }

  protected abstract write(key: string, bytes: Uint8Array): Promise<void>;
  protected abstract read(key: string): Promise<Buffer>;
  protected abstract remove(key: string): Promise<void>;
}
