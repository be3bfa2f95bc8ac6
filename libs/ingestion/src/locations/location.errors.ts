import { Conflict, CrossesCalls, DomainError } from '@acervo/contracts';

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

/** What the product keeps lies in the folder, or holds it: it would take itself in. */
@CrossesCalls
export class FolderHoldsKept extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor() {
    super('The folder lies in the data directory, or the data directory in it; keep both apart.');
  }
}

/**
 * The folder lies below none that the operator opened to the group, or it is none that may be listed: one answer, so
 * that nobody finds out what else lies on the machine.
 */
@CrossesCalls
export class FolderNotOpen extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor() {
    super(
      'Give the absolute path of a folder that may be listed, below one that the operator opened to the group by ACERVO_FOLDER_ROOTS.',
    );
  }
}

/** The folder was deleted; whoever means it says so. */
@CrossesCalls
export class FolderDeleted extends Conflict {
  constructor() {
    super('The folder was deleted; it is taken in again where somebody names it anew.');
  }
}

/** The tree is not put right under a scan that reads it. */
@CrossesCalls
export class ScanAtWork extends Conflict {
  constructor() {
    super('The folder is being scanned; try again once its run is over.');
  }
}
