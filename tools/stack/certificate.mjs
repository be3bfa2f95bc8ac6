// The certificate that Kafka and OpenSearch of a stack show, and the authority that their clients trust.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../lib/workspace.mjs';
import { findOpenssl } from './find.mjs';

const SCRIPT = fileURLToPath(new URL('../../docker/make-certificate.sh', import.meta.url));

/** Paths of the certificate in a directory of its owner alone; it is made if it is missing. @throws Refused without OpenSSL */
export const certificateIn = async (directory) => {
  findOpenssl();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  await run('sh', [SCRIPT, directory]);
  return { directory, ca: join(directory, 'tls_ca'), keystore: join(directory, 'tls_keystore') };
};
