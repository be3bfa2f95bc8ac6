import { embedder } from './embedder.mjs';
import { kafka } from './kafka.mjs';
import { mail } from './mail.mjs';
import { opensearch } from './opensearch.mjs';
import { postgres } from './postgres.mjs';
import { redis } from './redis.mjs';
import { s3 } from './s3.mjs';

/**
 * Definitions of the engines: ports and secrets by name, secrets derived from these, installation, start command,
 * health check, and the variables that lead services to them.
 */
export const engines = [postgres, kafka, opensearch, redis, s3, mail, embedder];
export const engineNames = engines.map(({ name }) => name);
