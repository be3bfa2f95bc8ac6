import { readFile } from 'node:fs/promises';
import { CloudRelease, Conflict, decode, InvalidInput } from '@acervo/contracts';
import { type AdminCommand, adminCommand, AdminCommandFailed } from '@acervo/platform-service';
import { ReleaseClock, ReleaseService } from '../releases/release.service';
import { CLOUD, ReleaseStore } from '../releases/release.store';

const SHAPE = 'version, notas, version_min_cliente_compatible, commit and fecha_publicacion';

/** @throws AdminCommandFailed for a file that cannot be read, or that has another shape */
const releaseIn = async (file: string): Promise<CloudRelease> => {
  try {
    return decode(CloudRelease, JSON.parse(await readFile(file, 'utf8')), { closed: true });
  } catch (error) {
    const found = error instanceof InvalidInput ? JSON.stringify(error.details) : 'it is no JSON file';
    throw new AdminCommandFailed(`${file} was not published: ${found}. It needs ${SHAPE}; see docs/operations.md.`);
  }
};

const publishCloud = adminCommand('publish-cloud', async ({ database, value: file, print }) => {
  const releases = new ReleaseService(database, new ReleaseStore(), new ReleaseClock());
  const release = await releaseIn(file);
  try {
    await releases.publish(CLOUD, release);
  } catch (error) {
    if (error instanceof Conflict || error instanceof InvalidInput)
      throw new AdminCommandFailed(`${file} was not published: ${error.message}`);
    throw error;
  }
  print(`Version ${release.version} of the service is published.`);
});

/** The admin commands of the gateway. */
export const gatewayAdminCommands: readonly AdminCommand[] = [publishCloud];
