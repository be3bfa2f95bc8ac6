/**
 * Variables that no service reads: of `npm start`, the compose file, `npm run stack`, suites and benches. A file of
 * variables that all of them share may stand before a service, so that these names are known there.
 */
export const TOOL_VARIABLES: readonly string[] = [
  // npm start
  'ACERVO_ADMIN_EMAIL',
  'ACERVO_ADMIN_PASSWORD',
  'ACERVO_BACKUP_PASSPHRASE',
  'ACERVO_REPLICAS',
  'ACERVO_EMBEDDER_E5_DIRECTORY',
  'ACERVO_EMBEDDER_E5_FILE',
  // docker/compose.yaml
  'ACERVO_AUTH_PORT',
  'ACERVO_AUTH_URL',
  'ACERVO_CHAT_PORT',
  'ACERVO_DOCUMENTS',
  'ACERVO_SECRETS',
  'ACERVO_POSTGRES_PASSWORD',
  'ACERVO_POSTGRES_PORT',
  'ACERVO_KAFKA_PORT',
  'ACERVO_OPENSEARCH_PORT',
  'ACERVO_REDIS_PORT',
  'ACERVO_S3_PORT',
  // npm run stack
  'ACERVO_ENGINES_CACHE',
  'ACERVO_STACK',
  'ACERVO_STACK_LETTERS',
  'ACERVO_STACK_PASSWORD',
  'ACERVO_STACK_SHORT',
  'ACERVO_STACK_TLS',
  'ACERVO_STACK_WITHOUT',
  'ACERVO_WITHOUT_STACK',
  // the gate and its suites
  'ACERVO_CI_LOGS',
  'ACERVO_GATE_BASE',
  'ACERVO_PATIENCE',
  'ACERVO_RUN',
  'ACERVO_SEED',
  // suites and benches
  'ACERVO_BENCH',
  'ACERVO_BENCH_OPERATIONS',
  'ACERVO_BENCH_PAIRS',
  'ACERVO_BENCH_ROUTES',
  'ACERVO_BENCH_TABLE',
  'ACERVO_CANARY_EVERY',
  'ACERVO_CHROMIUM',
  'ACERVO_FAULT_DOCUMENTS',
  'ACERVO_FUZZ_ANSWERS',
  'ACERVO_FUZZ_FACTS',
  'ACERVO_MODEL_RUNS',
  'ACERVO_ROLL_PER_SECOND',
  'ACERVO_ROLL_REQUESTS',
  'ACERVO_SPACE_WORLDS',
  'ACERVO_TALLY',
  'ACERVO_TEST_CHUNKS',
  'ACERVO_TEST_CLUSTER',
  // the examples of README.md: the key of a client
  'ACERVO_KEY',
];
