import type { DocumentStatus } from '@acervo/public-mapping';

/** A document that the pipeline cannot process, for a reason that users see. An immediate retry would not help. */
export class DocumentRefused extends Error {
  constructor(
    readonly status: Extract<DocumentStatus, 'ERROR' | 'NO_SOPORTADO'>,
    reason: string,
    /** The reason may pass while the file stays the same: a scan retries after a while. */
    readonly retryOnScan = false,
  ) {
    super(reason);
    this.name = 'DocumentRefused';
  }
}

/** The file changed while it was read, so the bytes are neither the old nor the new content. It is retried later. */
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

/** Transient errors of the file system stay as they are; the others become a reason for users. */
export const fileFailure = (error: unknown): unknown => {
  const reason = REASONS[(error as NodeJS.ErrnoException | null)?.code ?? ''];
  return reason === undefined ? error : new DocumentRefused('ERROR', reason, true);
};
