import { Setting } from '@acervo/platform-config';

/** Which engine ranks words, and how it is reached. */
export class LexicalConfig {
  @Setting({
    env: 'ACERVO_LEXICAL',
    default: 'postgresql',
    oneOf: ['postgresql', 'opensearch'],
    description: 'What ranks by words: postgresql with pg_textsearch, or opensearch',
  })
  readonly lexical!: string;
  @Setting({ env: 'ACERVO_OPENSEARCH_URL', default: 'http://127.0.0.1:9200', description: 'Address of OpenSearch' })
  readonly openSearchUrl!: string;
  @Setting({ env: 'ACERVO_OPENSEARCH_USER', default: null, description: 'User who logs in there; none without it' })
  readonly openSearchUser!: string | null;
  @Setting({ env: 'ACERVO_OPENSEARCH_PASSWORD', default: null, secret: true, description: 'The password of that user' })
  readonly openSearchPassword!: string | null;
  @Setting({
    env: 'ACERVO_OPENSEARCH_CA',
    default: null,
    description: 'File with the certificates that sign the one of OpenSearch, where the system does not know them',
  })
  readonly openSearchCertificates!: string | null;
  @Setting({ env: 'ACERVO_OPENSEARCH_PREFIX', default: 'acervo', description: 'What the names of indexes begin with' })
  readonly openSearchPrefix!: string;
  @Setting({
    env: 'ACERVO_OPENSEARCH_REPLICAS',
    default: 1,
    min: 0,
    max: 5,
    description: 'Copies of each index on further nodes; 0 on a single node',
  })
  readonly openSearchReplicas!: number;
  @Setting({
    env: 'ACERVO_OPENSEARCH_TIMEOUT_MS',
    default: 1_500,
    min: 50,
    max: 10_000,
    description: 'Longest that one search waits for OpenSearch; then the other leg answers',
  })
  readonly openSearchTimeoutMs!: number;
}

/** Whether OpenSearch ranks words; then it has copies of the chunks. */
export const ranksInOpenSearch = ({ lexical }: Pick<LexicalConfig, 'lexical'>): boolean => lexical === 'opensearch';
