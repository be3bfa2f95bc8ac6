import { UnsupportedFile } from './errors';
import { isPlainText, unreadByName } from './formats';
import {
  type AcquiredFile,
  type Extraction,
  PagedReader,
  type RawPage,
  type ReadLimits,
  type Recogniser,
} from './reader';
import { readerNamed } from './readers';
import { pagedReport } from './report-of-file';
import { defaultLimits } from './sandbox/limits';
import { readFile } from './sandbox/reading';
import { noSavedPages, type SavedPages, TextSource } from './text-source';

/** Reads in the calling process, without a sandbox: for tests and trusted files only. */
export class InlineSource extends TextSource {
  readonly atOnce: number = 1;

  constructor(
    private readonly limits: ReadLimits = defaultLimits,
    private readonly recogniser: Recogniser | null = null,
  ) {
    super();
  }

  whyNot(name: string): string | null {
    return unreadByName(name);
  }

  isQuick(name: string): boolean {
    return isPlainText(name);
  }

  signature(_name: string): string {
    return 'inline';
  }

  async extract(file: AcquiredFile, saved: SavedPages = noSavedPages): Promise<Extraction> {
    const reason = this.whyNot(file.name);
    if (reason !== null) throw new UnsupportedFile(reason);
    const pages: RawPage[] = [...(await saved.load())];
    const page = async (read: RawPage): Promise<void> => {
      pages.push(read);
      await saved.save(pages);
    };
    const { limits, recogniser } = this;
    const read = await readFile({ file, from: pages.length + 1, page }, { limits, recogniser });
    if (read.kind === 'extracted') return read.extraction;
    const reader = await readerNamed('pdf');
    if (!(reader instanceof PagedReader)) throw new Error('Pages were read, and no reader puts them together.');
    const { attachments, facts, parts } = read;
    return { document: reader.assemble(pages, facts), attachments, report: pagedReport(pages, attachments, parts) };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
