// The same engines as containers: ports, passwords, health checks and variables stay, and only the command differs.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../lib/options.mjs';
import { run } from '../lib/workspace.mjs';

const FILE = join(root, 'docker', 'compose.yaml');
const CONTAINED = ['postgres', 'kafka', 'opensearch', 'redis', 's3'];

/** Name of the compose project, by its directory, so that two stacks do not collide. */
const projectOf = (directory) =>
  `acervo-${basename(directory)
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()}-${createHash('sha1').update(directory).digest('hex').slice(0, 8)}`;

const compose = (directory, ...args) => ['compose', '-p', projectOf(directory), '-f', FILE, ...args];

/** Directory of a stack's secrets as files, as the compose file expects them. */
export const secretsOf = (directory) => join(directory, 'secrets');
const SECRET_FILES = { postgres: 'postgres', redis: 'redis', s3Access: 's3_access_key', s3: 's3_secret_key' };

/**
 * Writes the secrets of an engine. The directory is closed to other users, because containers read with other accounts.
 */
const writeSecrets = (directory, secrets) => {
  mkdirSync(secretsOf(directory), { recursive: true, mode: 0o700 });
  for (const [name, secret] of Object.entries(secrets))
    writeFileSync(join(secretsOf(directory), SECRET_FILES[name] ?? name), secret, { mode: 0o644 });
};

/** Every variable of the compose file has a value, whichever service is requested. */
const variables = (directory, { name, ports = {} }) => {
  const unused = ['POSTGRES', 'KAFKA', 'OPENSEARCH', 'REDIS', 'S3'].map((engine) => [`ACERVO_${engine}_PORT`, '1']);
  const chosen = ports[name] === undefined ? {} : { [`ACERVO_${name.toUpperCase()}_PORT`]: String(ports[name]) };
  return { ...Object.fromEntries(unused), ...chosen, ACERVO_SECRETS: secretsOf(directory) };
};

/** An engine that runs in a container, if it has an image. */
export const inDocker = (definition, stackDirectory) => {
  const { name } = definition;
  if (!CONTAINED.includes(name)) return definition;
  const environment = (context) => variables(stackDirectory, { name, ...context });
  return {
    ...definition,
    install: () => run('docker', compose(stackDirectory, 'pull', '--quiet', name), { env: environment({}) }),
    command: (context) => {
      writeSecrets(stackDirectory, { ...context.secrets, ...definition.derived?.(context.secrets) });
      return {
        command: 'docker',
        args: compose(stackDirectory, 'up', '--no-color', '--no-log-prefix', '--no-deps', name),
        env: environment(context),
      };
    },
    pause: (context) => run('docker', compose(stackDirectory, 'pause', name), { env: environment(context) }),
    unpause: (context) => run('docker', compose(stackDirectory, 'unpause', name), { env: environment(context) }),
    kill: (context) =>
      run('docker', compose(stackDirectory, 'kill', '-s', 'KILL', name), { env: environment(context) }),
  };
};

/** Removes the containers of a stack and their volumes. */
export const removeContainers = (directory) =>
  run('docker', compose(directory, 'down', '--volumes', '--remove-orphans'), {
    env: variables(directory, { name: 'kafka' }),
  });
