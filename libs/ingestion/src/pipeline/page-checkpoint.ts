import type { RawPage, SavedPages } from '@acervo/extraction';
import type { TenantScope } from '@acervo/platform-database';
import { derivedObjectKey, ObjectMissing, type ObjectStore } from '@acervo/platform-object-store';

/** A shorter extraction has no checkpoint; a longer one loses no more than this. */
const EVERY_MS = 5_000;

/** The pages of one extraction that are read so far, as an object that its step key leads to. */
export class PageCheckpoint implements SavedPages {
  private readonly object: string;
  private keptAt = performance.now();
  private isKept = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly objects: ObjectStore,
    private readonly scope: TenantScope,
    key: string,
    private readonly progress: () => void,
    private readonly everyMs = EVERY_MS,
  ) {
    this.object = derivedObjectKey(scope, 'pages', key);
  }

  /** An unreadable checkpoint restarts the extraction. */
  async load(): Promise<readonly RawPage[]> {
    try {
      const bytes = await this.objects.get(this.scope, this.object);
      this.isKept = true;
      return JSON.parse(bytes.toString('utf8')) as RawPage[];
    } catch (error) {
      if (error instanceof ObjectMissing || error instanceof SyntaxError) return [];
      throw error;
    }
  }

  async save(pages: readonly RawPage[]): Promise<void> {
    this.progress();
    if (performance.now() - this.keptAt < this.everyMs) return;
    this.keptAt = performance.now();
    this.isKept = true;
    this.writing = this.objects.put(this.scope, this.object, Buffer.from(JSON.stringify(pages), 'utf8'));
    // A lost checkpoint costs time later and must not fail the extraction now.
    await this.writing.catch(() => undefined);
    // Counted from the end of the write, so that a slow store does not stop the extraction.
    this.keptAt = performance.now();
  }

  /** Deletes the checkpoint of a document that is read, or never will be. */
  async forget(): Promise<void> {
    await this.writing.catch(() => undefined);
    if (this.isKept) await this.objects.delete(this.scope, this.object);
  }
}
