import type { EmbeddingKind } from '../../embedder';

/** A request that the API refuses. The message is a fixed sentence. */
export class RequestRefused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'RequestRefused';
  }
}

export interface EmbeddingsRequest {
  readonly texts: readonly string[];
  readonly kind: EmbeddingKind;
  readonly encoding: 'float' | 'base64';
}

const MOST_TEXTS = 2_048;
const DIMENSION = 384;

const refuse = (message: string): never => {
  throw new RequestRefused(400, message);
};

const isText = (value: unknown): value is string => typeof value === 'string';

const textsOf = (input: unknown): readonly string[] => {
  const texts = isText(input) ? [input] : input;
  if (!Array.isArray(texts) || texts.length === 0 || !texts.every(isText))
    return refuse('The field input is a text, or an array of texts that is not empty.');
  return texts.length > MOST_TEXTS ? refuse(`The field input has at most ${MOST_TEXTS} texts.`) : texts;
};

/** By `input_type`, else by a name of the model that ends in `-query`; everything else is a passage. */
const kindOf = (inputType: unknown, model: unknown): EmbeddingKind => {
  if (inputType === undefined || inputType === null)
    return isText(model) && model.endsWith('-query') ? 'query' : 'passage';
  if (inputType === 'query') return 'query';
  if (inputType === 'passage' || inputType === 'document') return 'passage';
  return refuse('The field input_type is query, passage or document.');
};

const encodingOf = (value: unknown): 'float' | 'base64' => {
  if (value === undefined || value === null || value === 'float') return 'float';
  return value === 'base64' ? value : refuse('The field encoding_format is float or base64.');
};

/** Reads the body of a request for embeddings. @throws RequestRefused */
export const embeddingsRequest = (body: string): EmbeddingsRequest => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return refuse('The body is no JSON.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return refuse('The body is no object.');
  const fields = new Map<string, unknown>(Object.entries(parsed));
  const dimensions = fields.get('dimensions') ?? DIMENSION;
  if (dimensions !== DIMENSION) return refuse(`The model has ${DIMENSION} dimensions.`);
  return {
    texts: textsOf(fields.get('input')),
    kind: kindOf(fields.get('input_type'), fields.get('model')),
    encoding: encodingOf(fields.get('encoding_format')),
  };
};
