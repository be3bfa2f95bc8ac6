import { isAbsolute } from 'node:path';
import { type AcquiredFile, type FilePlace, takeFile, type Walk, walk } from '@acervo/files';
import { FolderUnreadable } from '../locations/location.errors';
import { resolveRoot, type RootFolder } from '../locations/root-folder';
import { FileAccess, type WalkOrder } from './file-access';

/** Access in the process of its caller, for suites that replace the file system. */
export class DirectFileAccess extends FileAccess {
  override walk({ root, name, limits }: WalkOrder): Promise<Walk> {
    return walk(root, name, limits);
  }

  override takeFile(place: FilePlace): Promise<AcquiredFile> {
    return takeFile(place);
  }

  override async resolveRoot(path: string): Promise<RootFolder> {
    if (!isAbsolute(path)) throw new FolderUnreadable();
    return resolveRoot(path).catch(() => {
      throw new FolderUnreadable();
    });
  }
}
