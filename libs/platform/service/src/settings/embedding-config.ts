import { Setting } from '@acervo/platform-config';

/** Settings of a service that embeds texts: the target embedder and, optionally, the previous one. */
export class EmbeddingConfig {
  @Setting({
    env: 'ACERVO_EMBEDDER',
    explicit: 'e5',
    default: 'hashing',
    description: 'What turns passages and queries into vectors: hashing, e5, or the name of an endpoint of your own',
  })
  readonly embedder!: string;
  @Setting({
    env: 'ACERVO_EMBEDDER_URL',
    default: null,
    description: 'Base of an OpenAI-compatible embeddings API; without it the embedder is known and cannot be asked',
  })
  readonly embedderUrl!: string | null;
  @Setting({ env: 'ACERVO_EMBEDDER_QUERY_URL', default: null, description: 'The same for queries, where it differs' })
  readonly embedderQueryUrl!: string | null;
  @Setting({ env: 'ACERVO_EMBEDDER_KEY', default: null, secret: true, description: 'Key of that API' })
  readonly embedderKey!: string | null;
  @Setting({ env: 'ACERVO_EMBEDDER_MODEL', default: null, description: 'Name of the model at that API' })
  readonly embedderModel!: string | null;
  @Setting({
    env: 'ACERVO_EMBEDDER_REVISION',
    default: '1',
    description: 'Rises when the model makes other vectors of the same text; everything has to be embedded again then',
  })
  readonly embedderRevision!: string;
  @Setting({
    env: 'ACERVO_EMBEDDER_DIMENSION',
    default: 384,
    min: 1,
    max: 1_536,
    description: 'Numbers in a vector: 384, 512, 768, 1024 or 1536',
  })
  readonly embedderDimension!: number;
  @Setting({
    env: 'ACERVO_EMBEDDER_FLOOR',
    default: 0,
    min: -1,
    max: 0.99,
    description: 'Mean cosine of unrelated passages, where similarity 0 lies',
  })
  readonly embedderFloor!: number;
  @Setting({
    env: 'ACERVO_EMBEDDER_TELLING',
    default: 'none',
    oneOf: ['none', 'input_type', 'prefix'],
    description:
      'How a request distinguishes queries from passages: not, by the field input_type, or by a prefix of the text',
  })
  readonly embedderTelling!: string;
  @Setting({ env: 'ACERVO_EMBEDDER_QUERY_PREFIX', default: 'query: ', description: 'Put before a query' })
  readonly embedderQueryPrefix!: string;
  @Setting({ env: 'ACERVO_EMBEDDER_PASSAGE_PREFIX', default: 'passage: ', description: 'Put before a passage' })
  readonly embedderPassagePrefix!: string;
  @Setting({
    env: 'ACERVO_EMBEDDER_ENCODING',
    default: 'base64',
    oneOf: ['base64', 'float'],
    description: 'How vectors are asked for',
  })
  readonly embedderEncoding!: string;
  @Setting({ env: 'ACERVO_EMBEDDER_BATCH', default: 32, min: 1, max: 2_048, description: 'Most texts of one request' })
  readonly embedderBatch!: number;
  @Setting({
    env: 'ACERVO_EMBEDDER_BATCH_CHARACTERS',
    default: 20_000,
    min: 100,
    max: 10_000_000,
    description: 'Most characters of one request',
  })
  readonly embedderBatchCharacters!: number;
  @Setting({
    env: 'ACERVO_EMBEDDER_CONCURRENCY',
    default: 2,
    min: 1,
    max: 256,
    description: 'Requests for passages under way at a time',
  })
  readonly embedderConcurrency!: number;
  @Setting({
    env: 'ACERVO_EMBEDDER_TIMEOUT_MS',
    default: 45_000,
    min: 100,
    max: 60_000,
    description: 'Longest that one request for passages takes',
  })
  readonly embedderTimeoutMs!: number;
  @Setting({
    env: 'ACERVO_EMBEDDER_QUERY_TIMEOUT_MS',
    default: 2_000,
    min: 100,
    max: 5_000,
    description: 'Longest that one request for a query takes; then the search uses words alone',
  })
  readonly embedderQueryTimeoutMs!: number;
  @Setting({
    env: 'ACERVO_EMBEDDER_BEFORE',
    default: null,
    description: 'While the embedder changes: the one that is searched with until then, described as JSON',
  })
  readonly embedderBefore!: string | null;
  @Setting({ env: 'ACERVO_EMBEDDER_BEFORE_KEY', default: null, secret: true, description: 'Its key' })
  readonly embedderBeforeKey!: string | null;
}
