import {
  type AdminCommand,
  adminCommand,
  type AdminCommandContext,
  AdminCommandFailed,
} from '@acervo/platform-service';
import { backUp, type CopyDatabase } from '../backup/backing-up';
import type { DataDirectory } from '../resources/data-directory';
import type { FolderManagers } from '../folders/folder-managers';
import type { Screen } from '../terminal/progress/screen';
import { exportInstallation } from '../transfer/exporting';
import { printExplanation } from './explain';

/** Context of an admin command that this program executes itself. */
export interface StartCommandContext extends Omit<AdminCommandContext, 'service' | 'config' | 'database' | 'showKey'> {
  readonly directory: DataDirectory;
  readonly folderManagers: FolderManagers;
  readonly copyDatabase: CopyDatabase | undefined;
  readonly passphrase: string | undefined;
  readonly key: string | undefined;
  readonly screen: Screen;
}

/** @throws AdminCommandFailed where the database or the objects are not in the data directory */
const backup = ({ directory, copyDatabase, value: file, passphrase, print }: StartCommandContext): Promise<void> => {
  if (copyDatabase === undefined)
    throw new AdminCommandFailed(
      'The database or the objects of this installation are on a server, so a copy of the data directory would lack them. Back the servers up with their own tools (docs/operations.md).',
    );
  return backUp(directory, copyDatabase, { file, passphrase, print });
};

/** The admin commands that `npm start` executes itself, because they need its folders, its directory or its screen. */
export const startCommands: readonly AdminCommand<StartCommandContext>[] = [
  adminCommand('export', ({ calls, directory, value, print }) => exportInstallation(calls, directory, value, print)),
  adminCommand('explain', ({ calls, value, key, print }) => printExplanation(calls, value, key, print)),
  adminCommand('backup', backup),
  adminCommand('rebuild', ({ folderManagers, screen }) => folderManagers.rebuild(screen)),
  adminCommand('status', ({ folderManagers, print }) => folderManagers.printStatus(print)),
];
