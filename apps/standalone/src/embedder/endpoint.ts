import {
  type EmbedderDescription,
  Embedders,
  endpointOf,
  measureFloor,
  probeDimension,
  type Telling,
  TELLING,
} from '@acervo/models';
import { readConfig } from '@acervo/platform-config';
import { EmbeddingConfig } from '@acervo/platform-service';
import type { EmbedderEnvironment } from '../kernel/options';
import { StartRefused } from '../kernel/start-refused';

/** The named embedder cannot be used, and the user can correct the cause. */
export class EmbedderUnusable extends StartRefused {}

const DIMENSIONS = [384, 512, 768, 1024, 1536];

const named = (environment: EmbedderEnvironment, name: string): string => {
  const value = environment[name];
  if (value === undefined || value === '')
    throw new EmbedderUnusable(`An embedder of your own needs ${name}; docs/embedders.md lists all settings.`);
  return value;
};

const tellingOf = (environment: EmbedderEnvironment): Telling => {
  const setting = environment['ACERVO_EMBEDDER_TELLING'] ?? 'none';
  const telling = TELLING.find((each) => each === setting);
  if (telling === undefined) throw new EmbedderUnusable(`ACERVO_EMBEDDER_TELLING is one of ${TELLING.join(', ')}.`);
  return telling;
};

/** Similarity floor of an endpoint: the configured value, else measured with a few unrelated sentences. */
const floorOf = async (about: EmbedderDescription, environment: EmbedderEnvironment): Promise<number> => {
  const setting = environment['ACERVO_EMBEDDER_FLOOR'];
  if (setting !== undefined) return Number(setting);
  const settings = readConfig(EmbeddingConfig, { ...environment, ...variablesOf(about) });
  return Math.min(0.99, Math.round((await measureFloor(Embedders.from(settings).target)) * 1_000) / 1_000);
};

/** The variables that describe an embedder to a service. */
export const variablesOf = (about: EmbedderDescription): Record<string, string> => ({
  ACERVO_EMBEDDER: about.name,
  ACERVO_EMBEDDER_URL: about.url ?? '',
  ACERVO_EMBEDDER_QUERY_URL: about.queryUrl ?? '',
  ACERVO_EMBEDDER_MODEL: about.model,
  ACERVO_EMBEDDER_REVISION: about.revision,
  ACERVO_EMBEDDER_DIMENSION: String(about.dimension),
  ACERVO_EMBEDDER_FLOOR: String(about.floor),
  ACERVO_EMBEDDER_TELLING: about.telling,
  ACERVO_EMBEDDER_QUERY_PREFIX: about.queryPrefix,
  ACERVO_EMBEDDER_PASSAGE_PREFIX: about.passagePrefix,
});

/** Requests the properties of the vectors of an endpoint. @throws EmbedderUnusable */
export const describeEndpoint = async (
  name: string,
  environment: EmbedderEnvironment,
): Promise<EmbedderDescription> => {
  const url = named(environment, 'ACERVO_EMBEDDER_URL');
  const model = named(environment, 'ACERVO_EMBEDDER_MODEL');
  try {
    const dimension = await probeDimension(endpointOf(url), model, environment['ACERVO_EMBEDDER_KEY'] ?? null);
    if (!DIMENSIONS.includes(dimension))
      throw new EmbedderUnusable(
        `The embedder returns vectors of dimension ${dimension}; supported are ${DIMENSIONS.join(', ')}.`,
      );
    const about: EmbedderDescription = {
      ...{ name, url, model, dimension, floor: 0 },
      queryUrl: environment['ACERVO_EMBEDDER_QUERY_URL'] ?? null,
      revision: environment['ACERVO_EMBEDDER_REVISION'] ?? '1',
      telling: tellingOf(environment),
      queryPrefix: environment['ACERVO_EMBEDDER_QUERY_PREFIX'] ?? 'query: ',
      passagePrefix: environment['ACERVO_EMBEDDER_PASSAGE_PREFIX'] ?? 'passage: ',
    };
    return { ...about, floor: await floorOf(about, environment) };
  } catch (error) {
    if (error instanceof EmbedderUnusable) throw error;
    const reason = error instanceof Error ? error.message : 'It did not answer.';
    throw new EmbedderUnusable(`The embedder ${name} cannot be used: ${reason}`, { cause: error });
  }
};
