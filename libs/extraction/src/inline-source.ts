import { extractText, isSupported, unsupportedReason } from './extractors';
import type { AcquiredFile, Extraction } from './reader';
import { TextSource } from './text-source';

/** Reads where it is called, without any wall: for tests and trusted files only. */
export class InlineSource extends TextSource {
  readonly atOnce = 1;

  whyNot(name: string): string | null {
    return isSupported(name) ? null : unsupportedReason(name);
  }

  signature(_name: string): string {
    return 'inline';
  }

  async extract(file: AcquiredFile): Promise<Extraction> {
    return { document: await extractText(file), attachments: [] };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
