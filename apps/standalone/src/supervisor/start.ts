import { DatabaseProcess } from '@acervo/platform-database';
import { assertPortFree } from '@acervo/platform-http/ports';
import { isBrief, isExternal, type StartEnvironment, type StartOptions } from '../kernel/options';
import type { Print } from '../kernel/print';
import type { Standalone } from '../installation/run-installation';
import { DataDirectory } from '../resources/data-directory';
import { EMBEDDED } from '../resources/layout';
import { restoreBackup } from '../backup/restoring';
import { plainScreen, type Screen } from '../terminal/progress/screen';
import { type ExportFile, readExport } from '../transfer/export-file';
import { Opened } from '../kernel/opened';

/** The data directory of a start, and the export that it imports. */
const openDirectory = (
  options: StartOptions,
): { readonly directory: DataDirectory; readonly imported: ExportFile | undefined } => {
  const { data, importFrom } = options;
  if (typeof importFrom !== 'string') {
    return { directory: DataDirectory.open(data, { existing: isBrief(options) }), imported: undefined };
  }
  const { content, keyPepper } = readExport(importFrom);
  const seed = { ...content.settings, keyPepper };
  return { directory: DataDirectory.open(data, { seed }), imported: content };
};

/** Makes the data directory from the backup that a start names. */
const restore = async ({ data, restoreFrom, passphrase }: StartOptions, print: Print): Promise<void> => {
  if (typeof restoreFrom === 'string') await restoreBackup(restoreFrom, data, { passphrase, print });
};

/** Begins to open the embedded database in a process of its own; a database server needs none. */
const openDatabase = (
  directory: DataDirectory,
  environment: StartEnvironment,
  opened: Opened,
): DatabaseProcess | undefined => {
  if (isExternal(environment)) return undefined;
  directory.assertDatabaseAt(EMBEDDED);
  const process = DatabaseProcess.open(directory.database);
  opened.add(() => process.stop());
  return process;
};

/**
 * Starts the whole product on this machine, and ingests its folders while it serves. It prints to `output`. The services
 * are loaded while the database opens; together they take most of the time of a start.
 */
export const startStandalone = async (
  requested: StartOptions,
  environment: StartEnvironment,
  output: Print | Screen,
): Promise<Standalone> => {
  const screen = typeof output === 'function' ? plainScreen(output) : output;
  // A start that executes one command serves no clients: any free port suffices.
  const options = isBrief(requested) ? { ...requested, port: 0 } : requested;
  const opened = new Opened();
  try {
    await assertPortFree(options.port);
    await restore(options, screen.print);
    const { directory, imported } = openDirectory(options);
    const process = openDatabase(directory, environment, opened);
    const { runInstallation } = await import('../installation/index.js');
    return await runInstallation({ directory, imported, process, options, environment, screen }, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
};
