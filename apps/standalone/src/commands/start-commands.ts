import { type AdminCommand, adminCommand, type AdminCommandContext } from '@acervo/platform-service';
import type { DataDirectory } from '../resources/data-directory';
import type { FolderManagers } from '../folders/folder-managers';
import type { Screen } from '../terminal/progress/screen';
import { exportInstallation } from '../transfer/exporting';
import { printExplanation } from './explain';

/** Context of an admin command that this program executes itself. */
export interface StartCommandContext extends Omit<AdminCommandContext, 'service' | 'config' | 'database' | 'showKey'> {
  readonly directory: DataDirectory;
  readonly folderManagers: FolderManagers;
  readonly screen: Screen;
}

/** The admin commands that `npm start` executes itself, because they need its folders, its directory or its screen. */
export const startCommands: readonly AdminCommand<StartCommandContext>[] = [
  adminCommand('export', ({ calls, directory, value, print }) => exportInstallation(calls, directory, value, print)),
  adminCommand('explain', ({ calls, value, print }) => printExplanation(calls, value, print)),
  adminCommand('rebuild', ({ folderManagers, screen }) => folderManagers.rebuild(screen)),
  adminCommand('status', ({ folderManagers, print }) => folderManagers.printStatus(print)),
];
