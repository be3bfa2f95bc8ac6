import { type AcquiredFile, endingOf, type Extraction, InlineSource, type SavedPages } from '@acervo/extraction';

type Hook = (file: AcquiredFile, pages: SavedPages | undefined) => Promise<void>;

/** Reads in its caller's process and counts; a test may intercept each extraction. */
export class CountingSource extends InlineSource {
  override readonly atOnce = 2;
  readonly read: string[] = [];
  before: Hook = () => Promise.resolve();
  /** What a deployment may change: another version, or an installed recogniser. */
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
