import { CrossesCalls, DomainError } from '@acervo/contracts';

/** The folder does not exist, is no folder, or may not be listed. */
@CrossesCalls
export class FolderUnreadable extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor() {
    super('The folder cannot be read; give the absolute path of a folder that exists and may be listed.');
  }
}
