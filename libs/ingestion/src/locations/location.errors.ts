import { CrossesCalls, DomainError } from '@acervo/contracts';

/** The folder does not exist, is no folder, or may not be listed. */
@CrossesCalls
export class FolderUnreadable extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor() {
    super('The folder cannot be read; give the absolute path of a folder that exists and may be listed.');
  }
}

/** The folder lies in a registered one, or a registered one lies in it: its documents would be there twice. */
@CrossesCalls
export class FoldersOverlap extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor() {
    super('The folder lies inside a registered folder, or one lies inside it; name only the outer one.');
  }
}
