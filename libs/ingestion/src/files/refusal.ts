import type { DocumentStatus } from '@acervo/public-mapping';

/** A document that cannot be worked on, for a reason that is shown. Trying again at once would change nothing. */
export class DocumentRefused extends Error {
  constructor(
    readonly status: Extract<DocumentStatus, 'ERROR' | 'NO_SOPORTADO'>,
    reason: string,
    /** The reason may pass without the file changing, so that a scan tries again after a while. */
    readonly retryOnScan = false,
  ) {
    super(reason);
    this.name = 'DocumentRefused';
  }
}

/** The file changed while it was read: what was read is neither the old nor the new one. Tried again later. */
export class FileChanging extends Error {
  constructor() {
    super('The file changed while it was read.');
    this.name = 'FileChanging';
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'The file was not there any more when it was to be read.',
  ENOTDIR: 'The file was not there any more when it was to be read.',
  EACCES: 'The file may not be read: permission was denied.',
  EPERM: 'The file may not be read: permission was denied.',
  ELOOP: 'A link stands in place of the file, and links are not followed.',
};

/** Errors of the file system that pass by themselves stay as they are; the others become a reason for people. */
export const fileFailure = (error: unknown): unknown => {
  const reason = REASONS[(error as NodeJS.ErrnoException | null)?.code ?? ''];
  return reason === undefined ? error : new DocumentRefused('ERROR', reason, true);
};
