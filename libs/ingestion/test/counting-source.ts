import {
  type AcquiredFile,
  EmlReader,
  endingOf,
  type Extraction,
  InlineSource,
  type ReadLimits,
  type SavedPages,
} from '@acervo/extraction';

const limits: ReadLimits = {
  fileBytes: 50_000_000,
  inflatedBytes: 100_000_000,
  entries: 1_000,
  ratio: 200,
  depth: 4,
  elementDepth: 500,
  characters: 10_000_000,
  pages: 10_000,
  pixels: 50_000_000,
};

type Hook = (file: AcquiredFile, pages: SavedPages | undefined) => Promise<void>;

/** Reads where it is called, mails with what they carry, and counts; a test may step in before each reading. */
export class CountingSource extends InlineSource {
  override readonly atOnce = 2;
  readonly read: string[] = [];
  before: Hook = () => Promise.resolve();
  /** What a deployment would change: another version, a recogniser that was installed. */
  version = '1';

  override whyNot(name: string): string | null {
    return endingOf(name) === 'eml' ? null : super.whyNot(name);
  }

  override signature(name: string): string {
    return `${endingOf(name)} ${this.version}`;
  }

  override async extract(file: AcquiredFile, pages?: SavedPages): Promise<Extraction> {
    this.read.push(file.name);
    await this.before(file, pages);
    return endingOf(file.name) === 'eml'
      ? new EmlReader().read(file, { limits, recogniser: null })
      : super.extract(file);
  }
}
