import { EngineDown } from '@acervo/contracts';
import type { AcquiredFile, FilePlace, Walk, WalkLimits } from '@acervo/files';
import type { RootFolder } from '../locations/root-folder';

/** A share did not answer in time. The work is tried again later, and the try does not count. */
export class ShareUnresponsive extends EngineDown {
  /** The share is probed this often, and each probe may take a worker until its deadline. */
  override readonly waitMs = 60_000;

  constructor() {
    super('The file system of a folder', 'its deadline went by');
  }
}

export interface WalkOrder {
  /** Absolute and without links. */
  readonly root: string;
  readonly name: string;
  readonly limits: WalkLimits;
}

/** Every access to the files of users. A share that hangs stops the work on itself alone. */
export abstract class FileAccess {
  /** @throws RootUnreadable; ShareUnresponsive */
  abstract walk(order: WalkOrder): Promise<Walk>;

  /** @throws DocumentRefused; ShareUnresponsive; otherwise errors with the name and message of the file system's */
  abstract takeFile(place: FilePlace): Promise<AcquiredFile>;

  /** Resolves a requested folder. @throws FolderUnreadable, also where its share does not answer */
  abstract resolveRoot(path: string): Promise<RootFolder>;

  /** Ends the access; what is in progress fails. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
