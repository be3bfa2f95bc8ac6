import { embedder } from './embedder.mjs';
import { kafka } from './kafka.mjs';
import { mail } from './mail.mjs';
import { opensearch } from './opensearch.mjs';
import { postgres } from './postgres.mjs';
import { redis } from './redis.mjs';
import { s3 } from './s3.mjs';

/**
 * What every engine tells: its ports and secrets by name, how it is installed, the command that runs it, how to see
 * that it answers, and the variables under which the services find it.
 */
export const engines = [postgres, kafka, opensearch, redis, s3, mail, embedder];
export const engineNames = engines.map(({ name }) => name);
