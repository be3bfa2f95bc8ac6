// The same engines as containers: ports, passwords, questions and variables stay, what runs them is another command.
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { root } from '../lib/options.mjs';
import { run } from '../lib/workspace.mjs';

const FILE = join(root, 'docker', 'compose.yaml');
const CONTAINED = ['postgres', 'kafka', 'opensearch', 'redis', 's3'];

/** Named by its directory, so that two stacks do not meet. */
const projectOf = (directory) =>
  `acervo-${basename(directory)
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()}-${createHash('sha1').update(directory).digest('hex').slice(0, 8)}`;

const compose = (directory, ...args) => ['compose', '-p', projectOf(directory), '-f', FILE, ...args];

/** Every name of the file has a value, whichever service is asked for. */
const variables = ({ name, ports = {}, secrets = {} }) => {
  const chosen = { [`ACERVO_${name.toUpperCase()}_PORT`]: ports[name], ACERVO_POSTGRES_PASSWORD: secrets.postgres };
  const more = {
    ACERVO_REDIS_PASSWORD: secrets.redis,
    ACERVO_S3_ACCESS_KEY: secrets.s3Access,
    ACERVO_S3_SECRET_KEY: secrets.s3,
  };
  const unused = ['POSTGRES', 'KAFKA', 'OPENSEARCH', 'REDIS', 'S3'].map((engine) => [`ACERVO_${engine}_PORT`, '1']);
  const given = Object.entries({ ...chosen, ...more }).map(([key, value]) => [key, String(value ?? 'unused')]);
  return { ...Object.fromEntries(unused), ...Object.fromEntries(given) };
};

/** An engine that runs in a container where there is an image for it. */
export const inDocker = (definition, stackDirectory) => {
  const { name } = definition;
  if (!CONTAINED.includes(name)) return definition;
  const environment = (context) => variables({ name, ...context });
  return {
    ...definition,
    install: () => run('docker', compose(stackDirectory, 'pull', '--quiet', name), { env: variables({ name }) }),
    command: (context) => ({
      command: 'docker',
      args: compose(stackDirectory, 'up', '--no-color', '--no-log-prefix', '--no-deps', name),
      env: environment(context),
    }),
    kill: (context) =>
      run('docker', compose(stackDirectory, 'kill', '-s', 'KILL', name), { env: environment(context) }),
  };
};

/** Removes the containers of a stack and what they keep. */
export const removeContainers = (directory) =>
  run('docker', compose(directory, 'down', '--volumes', '--remove-orphans'), { env: variables({ name: 'kafka' }) });
