// versitygw: an S3 server over a directory.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { goProgram } from '../download.mjs';
import { answersOk } from '../net.mjs';

const VERSION = '1.8.0';
const REGION = 'us-east-1';

export const s3 = {
  name: 's3',
  what: `S3 by versitygw ${VERSION}`,
  ports: ['s3'],
  secrets: ['s3Access', 's3'],
  install: async (print) =>
    join(await goProgram('versitygw', 'github.com/versity/versitygw/cmd/versitygw', VERSION, print), 'versitygw'),
  command: ({ installed, directory, ports, secrets }) => {
    const [data, versions, accounts] = ['data', 'versions', 'accounts'].map((name) => join(directory, name));
    for (const path of [data, versions, accounts]) mkdirSync(path, { recursive: true });
    const listen = ['--port', `127.0.0.1:${ports.s3}`, '--region', REGION, '--health', '/health', '--quiet'];
    return {
      command: installed,
      args: [...listen, '--iam-dir', accounts, 'posix', '--versioning-dir', versions, data],
      env: { ROOT_ACCESS_KEY: secrets.s3Access, ROOT_SECRET_KEY: secrets.s3 },
    };
  },
  answers: ({ ports }) => answersOk(`http://127.0.0.1:${ports.s3}/health`),
  variables: ({ ports, secrets }) => ({
    ACERVO_OBJECT_STORE: 's3',
    ACERVO_S3_MAKE_BUCKET: 'true',
    ACERVO_S3_ENDPOINT: `http://127.0.0.1:${ports.s3}`,
    ACERVO_S3_REGION: REGION,
    ACERVO_S3_ACCESS_KEY: secrets.s3Access,
    ACERVO_S3_SECRET_KEY: secrets.s3,
  }),
};
