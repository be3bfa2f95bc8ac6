import { E5, EARLIER_E5, type EmbedderDescription, HASHING, isSameModel } from '@acervo/models';
import type { Logger } from '@acervo/platform-observability';
import type { DataDirectory } from '../resources/data-directory';
import type { Print } from '../kernel/print';
import type { Opened } from '../kernel/opened';
import { freePort } from '../kernel/free-port';
import { CannotInstall, installE5 } from './e5-install';
import { EARLIER_ENVIRONMENT } from './e5-weights';
import { E5Process } from './e5-process';
import type { EmbedderEnvironment } from '../kernel/options';
import { describeEndpoint, EmbedderUnusable } from './endpoint';

/** The embedders of a start: the one in use, and the previous one, which searches use during a change. */
export interface ChosenEmbedder {
  readonly target: EmbedderDescription;
  readonly before: EmbedderDescription | null;
}

export interface ChoiceDependencies {
  readonly directory: DataDirectory;
  /** Value of `--embedder`. */
  readonly asked: string | null;
  readonly environment: EmbedderEnvironment;
  readonly logger: Logger;
  readonly print: Print;
  readonly opened: Opened;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The e5 server that the environment names, which several installations may share; undefined if it names none. */
const e5Elsewhere = (environment: EmbedderEnvironment): EmbedderDescription | undefined => {
  const url = environment['ACERVO_EMBEDDER_URL'];
  if (environment['ACERVO_EMBEDDER'] !== E5.name || url === undefined) return undefined;
  return { ...E5, url, queryUrl: environment['ACERVO_EMBEDDER_QUERY_URL'] ?? null };
};

/** Finds e5, or installs and starts it. Calls of `run` share one start. */
class ManagedE5 {
  private running: Promise<EmbedderDescription> | undefined;

  constructor(private readonly dependencies: ChoiceDependencies) {}

  /** @throws when e5 cannot run on this machine, with the reason. */
  run(): Promise<EmbedderDescription> {
    this.running ??= this.start();
    return this.running;
  }

  private async start(): Promise<EmbedderDescription> {
    const { directory, environment, logger, print, opened } = this.dependencies;
    const elsewhere = e5Elsewhere(environment);
    if (elsewhere !== undefined) return elsewhere;
    const place = environment['ACERVO_EMBEDDER_E5_DIRECTORY'] ?? directory.e5;
    await installE5(place, { print, file: environment['ACERVO_EMBEDDER_E5_FILE'] });
    const process = new E5Process({ directory: place, port: await freePort(), logger });
    await process.start();
    opened.add(() => process.stop());
    directory.removeEmbedder(EARLIER_ENVIRONMENT);
    if (process.precision !== 'int8')
      print(
        `The embedder e5 uses ${process.precision} arithmetic, which is slower: int8 fails its self-test on this processor.`,
      );
    return { ...E5, url: process.url };
  }
}

/** The embedder of a first start: the configured endpoint, else e5 if it can run, else the built-in one. */
const firstEmbedder = async (
  { environment, print }: ChoiceDependencies,
  e5: ManagedE5,
): Promise<EmbedderDescription> => {
  if (environment['ACERVO_EMBEDDER_URL'] !== undefined) return describeEndpoint('endpoint', environment);
  try {
    return await e5.run();
  } catch (error) {
    print(
      `The embedder e5 cannot run here (${reasonOf(error)}); the built-in embedder is used, which compares spellings, not meaning. "--embedder e5" tries again.`,
    );
    return HASHING;
  }
};

/** The embedder that the user names. @throws EmbedderUnusable, and nothing has changed. */
const namedEmbedder = async (
  name: string,
  dependencies: ChoiceDependencies,
  e5: ManagedE5,
): Promise<EmbedderDescription> => {
  if (name === HASHING.name) return HASHING;
  if (name !== E5.name) return describeEndpoint(name, dependencies.environment);
  return e5.run().catch((error: unknown) => {
    const advice = error instanceof CannotInstall ? 'repair that or choose "--embedder hashing"' : 'see the log';
    throw new EmbedderUnusable(`The embedder e5 cannot run: ${reasonOf(error)}; ${advice}.`, { cause: error });
  });
};

const cannotRunNow = (error: unknown): string =>
  `The embedder e5 cannot run now (${reasonOf(error)}): searches use words alone until it does. "--embedder hashing" changes to the built-in one.`;

/**
 * The recorded embedder with its addresses of this start. An e5 of an earlier version changes to the current revision.
 * An embedder that cannot run has no address, and a message reports it.
 */
const recordedTarget = async (
  about: EmbedderDescription,
  { print }: ChoiceDependencies,
  e5: ManagedE5,
): Promise<EmbedderDescription> => {
  if (about.name !== E5.name) return about;
  try {
    return await e5.run();
  } catch (error) {
    print(cannotRunNow(error));
    return about;
  }
};

/** The previous embedder with its addresses of this start. The running e5 answers for its earlier revision. */
const previous = async (
  about: EmbedderDescription,
  { print }: ChoiceDependencies,
  e5: ManagedE5,
): Promise<EmbedderDescription> => {
  if (!isSameModel(about, E5) && !isSameModel(about, EARLIER_E5)) return about;
  try {
    const { url, queryUrl } = await e5.run();
    return { ...about, url, queryUrl };
  } catch (error) {
    print(cannotRunNow(error));
    return about;
  }
};

/**
 * Chooses the embedder: the recorded one, unless the user names another. The choice is recorded before anything else
 * begins, without addresses of this start.
 * @throws EmbedderUnusable if the named embedder cannot be used.
 */
export const chooseEmbedder = async (dependencies: ChoiceDependencies): Promise<ChosenEmbedder> => {
  const { directory, asked, environment } = dependencies;
  const e5 = new ManagedE5(dependencies);
  const recorded = directory.embedder;
  const name = asked ?? (recorded === null ? environment['ACERVO_EMBEDDER'] : undefined);
  const target =
    name !== undefined
      ? await namedEmbedder(name, dependencies, e5)
      : recorded === null
        ? await firstEmbedder(dependencies, e5)
        : await recordedTarget(recorded, dependencies, e5);
  directory.use(target.name === E5.name ? { ...target, url: null, queryUrl: null } : target);
  const { before } = directory;
  return { target, before: before === null ? null : await previous(before, dependencies, e5) };
};

const placeOf = (url: string | null): string => {
  if (url === null) return 'not running';
  const { hostname, host } = new URL(url);
  return hostname === '127.0.0.1' ? 'on this machine' : `at ${host}`;
};

/** Message about the embedder of this start. */
export const describeChoice = ({ target, before }: ChosenEmbedder): string => {
  const what =
    target.name === HASHING.name
      ? 'built-in hashing (spellings, no meaning)'
      : target.name === E5.name
        ? `e5 (multilingual-e5-small, ${placeOf(target.url)})`
        : `${target.name} (${target.model})`;
  if (before === null) return `Embedder: ${what}.`;
  const searched = before.name === target.name ? `the previous vectors of ${before.name}` : before.name;
  return `Embedder: ${what}; searches use ${searched} until it is ready.`;
};
