import { createHash } from 'node:crypto';
import { makeDatabase, onStack, stackVariables } from '@acervo/platform-testing';

/**
 * Environment of a start that uses the engines of the running stack. Each data directory has its own database, topics,
 * indexes, keys and bucket, the same at each start. Empty for tests on embedded engines.
 */
export const stackEnvironment = async (data: string): Promise<Record<string, string>> => {
  if (!onStack()) return {};
  const name = `journey-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`;
  const database = name.replace('-', '_');
  await makeDatabase(database);
  // Tests read mails from the data directory, and name their own embedder.
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
