import { Conflict, CrossesCalls, DomainError } from '@acervo/contracts';

/** The folder does not exist, is no folder, or may not be listed. */
@CrossesCalls
export class FolderUnreadable extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor() {
    super('The folder cannot be read; give the absolute path of a folder that exists and may be listed.');
  }
}

/** The folder is inside a registered one, or contains one: its documents would exist twice. */
@CrossesCalls
export class FoldersOverlap extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor() {
    super('The folder lies inside a registered folder, or one lies inside it; name only the outer one.');
  }
}

/** The folder is inside the product's data, or contains it: the product would ingest itself. */
@CrossesCalls
export class FolderHoldsKept extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor() {
    super('The folder lies in the data directory, or the data directory in it; keep both apart.');
  }
}

/**
 * The folder is below none of the group's opened folders, or cannot be listed. Both have one answer, so that no caller
 * learns what else is on the machine.
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

/** The folder was deleted; registering it again needs an explicit confirmation. */
@CrossesCalls
export class FolderDeleted extends Conflict {
  constructor() {
    super('The folder was deleted; add it again to ingest it.');
  }
}

/** The tree is not repaired during a scan that reads it. */
@CrossesCalls
export class ScanAtWork extends Conflict {
  constructor() {
    super('The folder is being scanned; try again once its run is over.');
  }
}
