import CFB from 'cfb';
import { DamagedFile } from '../../errors';
import { assertSoundCompoundFile } from './compound-structure';

/** The streams of a sound compound file, by their names without folders; of equal names the first. */
export class CompoundStreams {
  private readonly streams = new Map<string, Buffer>();

  /** @throws DamagedFile */
  constructor(bytes: Buffer) {
    assertSoundCompoundFile(bytes);
    try {
      for (const { name, type, size, content } of CFB.read(bytes, { type: 'buffer' }).FileIndex)
        // An empty stream has no content at all.
        if (type === STREAM && !this.streams.has(name))
          this.streams.set(name, size === 0 ? Buffer.alloc(0) : Buffer.from(content));
    } catch {
      throw new DamagedFile();
    }
  }

  get(name: string): Buffer | undefined {
    return this.streams.get(name);
  }
}

const STREAM = 2;
