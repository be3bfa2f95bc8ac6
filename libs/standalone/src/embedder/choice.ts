import { E5, type EmbedderDescription, HASHING, sameSpace } from '@acervo/models';
import type { Logger } from '@acervo/platform-observability';
import type { DataDirectory } from '../data-directory';
import type { Say } from '../intake';
import type { Opened } from '../opened';
import { startE5 } from './e5';
import { CannotInstall, installE5 } from './e5-install';
import { describeEndpoint, type EmbedderEnvironment, EmbedderUnusable } from './endpoint';

/** The embedders of a start: the one in use, and the one that is searched with while that changes. */
export interface ChosenEmbedder {
  readonly target: EmbedderDescription;
  readonly before: EmbedderDescription | null;
}

export interface ChoiceParts {
  readonly directory: DataDirectory;
  /** What `--embedder` says. */
  readonly asked: string | null;
  readonly environment: EmbedderEnvironment;
  readonly logger: Logger;
  readonly say: Say;
  readonly opened: Opened;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** e5 as the environment says that it runs already, for whoever may share it; undefined where it says nothing of it. */
const e5Elsewhere = (environment: EmbedderEnvironment): EmbedderDescription | undefined => {
  const url = environment['ACERVO_EMBEDDER_URL'];
  if (environment['ACERVO_EMBEDDER'] !== E5.name || url === undefined) return undefined;
  return { ...E5, url, queryUrl: environment['ACERVO_EMBEDDER_QUERY_URL'] ?? null };
};

/** Finds e5, or installs and starts it for this start; once, whoever asks. */
class ManagedE5 {
  private running: Promise<EmbedderDescription> | undefined;

  constructor(private readonly parts: ChoiceParts) {}

  /** @throws when it cannot run here, with the reason. */
  run(): Promise<EmbedderDescription> {
    this.running ??= this.start();
    return this.running;
  }

  private async start(): Promise<EmbedderDescription> {
    const { directory, environment, logger, say, opened } = this.parts;
    const elsewhere = e5Elsewhere(environment);
    if (elsewhere !== undefined) return elsewhere;
    const place = environment['ACERVO_EMBEDDER_E5_DIRECTORY'] ?? directory.e5;
    const { url, queryUrl, stop } = await startE5(await installE5(place, say), logger);
    opened.add(stop);
    return { ...E5, url, queryUrl };
  }
}

/** The embedder of a first start: what the environment names, else e5 where it can run, else the built-in one. */
const firstEmbedder = async ({ environment, say }: ChoiceParts, e5: ManagedE5): Promise<EmbedderDescription> => {
  if (environment['ACERVO_EMBEDDER_URL'] !== undefined) return describeEndpoint('endpoint', environment);
  try {
    return await e5.run();
  } catch (error) {
    say(
      `The embedder e5 cannot run here (${reasonOf(error)}); the built-in one is used, which knows spellings and no meaning. "--embedder e5" tries again.`,
    );
    return HASHING;
  }
};

/** The embedder of a name that was asked for. @throws EmbedderUnusable, and nothing was changed. */
const namedEmbedder = async (name: string, parts: ChoiceParts, e5: ManagedE5): Promise<EmbedderDescription> => {
  if (name === HASHING.name) return HASHING;
  if (name !== E5.name) return describeEndpoint(name, parts.environment);
  return e5.run().catch((error: unknown) => {
    const advice = error instanceof CannotInstall ? 'put that right or choose "--embedder hashing"' : 'see the log';
    throw new EmbedderUnusable(`The embedder e5 cannot run: ${reasonOf(error)}; ${advice}.`, { cause: error });
  });
};

/** A recorded embedder as it can be asked at this start; one that cannot run has no address, and that is said. */
const revived = async (
  about: EmbedderDescription,
  { say }: ChoiceParts,
  e5: ManagedE5,
): Promise<EmbedderDescription> => {
  if (about.name !== E5.name) return about;
  if (!sameSpace(about, E5)) {
    say(`This version brings another revision of e5; "--embedder e5" changes to it. Search goes by words alone.`);
    return about;
  }
  return e5.run().catch((error: unknown) => {
    say(
      `The embedder e5 cannot run now (${reasonOf(error)}): search goes by words alone until it does. "--embedder hashing" changes to the built-in one.`,
    );
    return about;
  });
};

/**
 * Which embedder is used: the recorded one, unless another is asked for. It is recorded before anything else begins,
 * without addresses of this start.
 * @throws EmbedderUnusable when the one that was asked for cannot be used.
 */
export const chooseEmbedder = async (parts: ChoiceParts): Promise<ChosenEmbedder> => {
  const { directory, asked, environment } = parts;
  const e5 = new ManagedE5(parts);
  const recorded = directory.embedder;
  const name = asked ?? (recorded === null ? environment['ACERVO_EMBEDDER'] : undefined);
  const target =
    name !== undefined
      ? await namedEmbedder(name, parts, e5)
      : recorded === null
        ? await firstEmbedder(parts, e5)
        : await revived(recorded, parts, e5);
  directory.use(target.name === E5.name ? { ...target, url: null, queryUrl: null } : target);
  const { before } = directory;
  return { target, before: before === null ? null : await revived(before, parts, e5) };
};

const placeOf = (url: string | null): string => {
  if (url === null) return 'not running';
  const { hostname, host } = new URL(url);
  return hostname === '127.0.0.1' ? 'on this machine' : `at ${host}`;
};

/** What a person is told about the embedder of this start. */
export const describeChoice = ({ target, before }: ChosenEmbedder): string => {
  const what =
    target.name === HASHING.name
      ? 'built-in hashing (spellings, no meaning)'
      : target.name === E5.name
        ? `e5 (multilingual-e5-small, ${placeOf(target.url)})`
        : `${target.name} (${target.model})`;
  return before === null ? `Embedder: ${what}.` : `Embedder: ${what}; searches use ${before.name} until it is ready.`;
};
