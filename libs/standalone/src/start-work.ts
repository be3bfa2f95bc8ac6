import type { ProvisionedGroup } from '@acervo/contracts';
import { type EmbedderDescription, HASHING } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import type { DataDirectory } from './data-directory';
import { followSwitch } from './embedder/switch';
import { followIngestion, type Say, takeIn } from './intake';
import type { StartOptions } from './options';

/** The folders of this start: the one that was named, else those that are known, else the sample. */
export const foldersOf = (directory: DataDirectory, { folder, sample }: StartOptions): readonly string[] => {
  if (folder !== null) directory.remember(folder);
  else if (directory.folders.length === 0) directory.remember(sample);
  return directory.folders;
};

/** What runs beside the services once they are there. */
export interface StartWork {
  readonly calls: Calls;
  readonly scope: WorkScope;
  readonly say: Say;
  stopped(): boolean;
}

/** Registers and scans the folders of this start, one after the other, and follows what comes of it. */
export const takeInAll = async (
  { calls, scope, say, stopped }: StartWork,
  group: ProvisionedGroup,
  folders: readonly string[],
): Promise<void> => {
  for (const folder of folders) {
    if (stopped()) return;
    await takeIn(calls, scope, folder, group.entityCode, say).catch((error: unknown) => {
      if (!stopped())
        say(`The folder ${folder} was left out: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  await followIngestion(calls, scope, say, stopped);
};

/** Brings the documents that are there to the embedder in use, and notes when searches use it. */
export const settle = async (work: StartWork, directory: DataDirectory, target: EmbedderDescription): Promise<void> => {
  const { name, url } = target;
  const runs = name === HASHING.name || url !== null;
  const settled = await followSwitch({ ...work, name, runs }).catch((error: unknown) => {
    if (!work.stopped())
      work.say(`The change of the embedder goes on at the next start: ${error instanceof Error ? error.message : ''}`);
    return false;
  });
  if (settled) directory.settle();
};
