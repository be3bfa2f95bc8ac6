import { ApiSchema } from '@nestjs/swagger';
import { Flag, HttpsLink, Moment, SemanticVersion, Text } from './fields';

/** The running version. Build facts are null if the build did not set them. */
export class RunningVersion {
  @Text({ max: 40, description: 'Version of the service' }) readonly version!: string;
  @Text({ max: 64, nullable: true, description: 'Commit that it was built from' }) readonly commit!: string | null;
  @Text({ max: 16, nullable: true, description: 'The same, short' }) readonly commitShort!: string | null;
  @Moment({ nullable: true, wire: 'fecha_build', description: 'When it was built' }) readonly builtAt!: string | null;
}

/** A published version of the service. */
export class CloudRelease {
  @SemanticVersion({ description: 'Version of the service' }) readonly version!: string;
  @Text({ wire: 'notas', max: 20_000, description: 'What changed' }) readonly notes!: string;
  @SemanticVersion({ wire: 'version_min_cliente_compatible', description: 'Oldest desktop client that works with it' })
  readonly oldestClient!: string;
  @Text({ min: 1, max: 64, description: 'Commit that it was built from' }) readonly commit!: string;
  @Moment({ wire: 'fecha_publicacion', description: 'When it was published' }) readonly publishedAt!: string;
}

/** A published version of the desktop client. */
@ApiSchema({ name: 'ClienteReleasePublicar' })
export class ClientRelease {
  @SemanticVersion({ description: 'Version of the desktop client' }) readonly version!: string;
  @SemanticVersion({ wire: 'version_min_compatible', description: 'Oldest version that still works' })
  readonly oldestCompatible!: string;
  @Flag({ wire: 'obligatoria', description: 'Older versions must be replaced' }) readonly isMandatory!: boolean;
  @Text({ wire: 'notas', max: 20_000, description: 'What changed' }) readonly notes!: string;
  @HttpsLink({ wire: 'url_descarga_macos', nullable: true, description: 'Download for macOS; null without one' })
  readonly macosUrl!: string | null;
  @HttpsLink({ wire: 'url_descarga_windows', nullable: true, description: 'Download for Windows; null without one' })
  readonly windowsUrl!: string | null;
  @Moment({ wire: 'fecha_publicacion', description: 'When it was published' }) readonly publishedAt!: string;
}
