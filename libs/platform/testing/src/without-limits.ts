/** Settings of suites that send more requests than a person: no limit of requests is reached. */
export const WITHOUT_LIMITS: Readonly<Record<string, string>> = {
  ACERVO_ADDRESS_RATE: '10000000',
  ACERVO_KEY_RATE: '10000000',
  ACERVO_USER_RATE: '10000000',
  ACERVO_CONNECTIONS_PER_ADDRESS: '100000',
  ACERVO_REQUESTS_AT_ONCE: '1000',
  ACERVO_REQUESTS_WAITING: '100000',
  ACERVO_DATABASE_WAITING: '100000',
  ACERVO_QUERIES_WAITING: '100000',
};
