import { Setting } from '@acervo/platform-config';

/** Settings of the gateway alone. */
export class GatewayConfig {
  @Setting({
    env: 'ACERVO_RELEASE_TOKEN',
    default: '',
    secret: true,
    description:
      'Token that publishes releases of the desktop client, at least 16 characters; without it that route is closed',
  })
  readonly releaseToken!: string;
}
