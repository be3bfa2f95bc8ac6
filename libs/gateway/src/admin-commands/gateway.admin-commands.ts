import { CloudRelease, Conflict, decode, InvalidInput } from '@acervo/contracts';
import { type AdminCommand, adminCommand, AdminCommandFailed, readJsonFile } from '@acervo/platform-service';
import { ReleaseClock, ReleaseService } from '../releases/release.service';
import { CLOUD, ReleaseStore } from '../releases/release.store';

const SHAPE = 'version, notas, version_min_cliente_compatible, commit and fecha_publicacion';

const releaseIn = (raw: unknown): CloudRelease => decode(CloudRelease, raw, { closed: true });

const publishCloud = adminCommand('publish-cloud', async ({ database, value: file, print }) => {
  const releases = new ReleaseService(database, new ReleaseStore(), new ReleaseClock());
  const release = await readJsonFile(file, releaseIn, { outcome: `${file} was not published`, shape: SHAPE });
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
