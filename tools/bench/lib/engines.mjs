// How to reach the engines that `npm run stack -- env` prints.

/** The value of a variable. @throws if it is not set */
const required = (variables, name) => {
  const value = variables[name];
  if (value === undefined) throw new Error(`Set ${name}; npm run stack -- env prints it.`);
  return value;
};

/** Address and login of OpenSearch. */
export const openSearchOf = (variables) => ({
  url: required(variables, 'ACERVO_OPENSEARCH_URL'),
  user: variables.ACERVO_OPENSEARCH_USER ?? null,
  password: variables.ACERVO_OPENSEARCH_PASSWORD ?? null,
  certificates: variables.ACERVO_OPENSEARCH_CA ?? null,
});

/** Addresses and login of Kafka. */
export const kafkaOf = (variables) => ({
  brokers: required(variables, 'ACERVO_KAFKA_BROKERS').split(','),
  tls: variables.ACERVO_KAFKA_TLS === 'true',
  ca: variables.ACERVO_KAFKA_CA,
  user: variables.ACERVO_KAFKA_USER,
  password: variables.ACERVO_KAFKA_PASSWORD,
});
