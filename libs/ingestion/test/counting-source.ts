import { type AcquiredFile, endingOf, type Extraction, InlineSource, type SavedPages } from '@acervo/extraction';

type Hook = (file: AcquiredFile, pages: SavedPages | undefined) => Promise<void>;

/** Reads where it is called and counts; a test may step in before each reading. */
export class CountingSource extends InlineSource {
  override readonly atOnce = 2;
  readonly read: string[] = [];
  before: Hook = () => Promise.resolve();
  /** What a deployment would change: another version, a recogniser that was installed. */
  version = '1';

  override signature(name: string): string {
    return `${endingOf(name)} ${this.version}`;
  }

  override async extract(file: AcquiredFile, pages?: SavedPages): Promise<Extraction> {
    this.read.push(file.name);
    await this.before(file, pages);
    return super.extract(file, pages);
  }
}
