import { createHash } from 'node:crypto';
import { makeDatabase, onStack, stackVariables } from '@acervo/platform-testing';

/**
 * What a start is told so that it uses the engines of the running stack: a database, topics, indexes, keys and a bucket
 * of their own for each data directory, the same ones at each start. Nothing where the tests run on embedded engines.
 */
export const stackEnvironment = async (data: string): Promise<Record<string, string>> => {
  if (!onStack()) return {};
  const name = `journey-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`;
  const database = name.replace('-', '_');
  await makeDatabase(database);
  // Letters lie in the data directory, where tests look for them, and a test names its embedder itself.
  const named = Object.entries(stackVariables()).filter(([variable]) => !/^ACERVO_(SMTP_URL|EMBEDDER)/.test(variable));
  return {
    ...Object.fromEntries(named),
    ACERVO_DATABASE_NAME: database,
    ACERVO_KAFKA_PREFIX: `${name}.`,
    ACERVO_KAFKA_PARTITIONS: '3',
    ACERVO_OPENSEARCH_PREFIX: name,
    ACERVO_REDIS_PREFIX: name,
    ACERVO_S3_BUCKET: name,
  };
};
