import { Setting } from '@acervo/platform-config';

/** Values that the build put into this program. */
export class GatewayConfig {
  @Setting({ env: 'ACERVO_VERSION', default: '0.1.0', description: 'Version that /version returns' })
  readonly version!: string;
  @Setting({ env: 'ACERVO_COMMIT', default: null, description: 'Commit that the program was built from' })
  readonly commit!: string | null;
  @Setting({ env: 'ACERVO_BUILT_AT', default: null, description: 'When the program was built, ISO 8601 in UTC' })
  readonly builtAt!: string | null;
}
