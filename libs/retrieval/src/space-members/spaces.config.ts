import { Setting } from '@acervo/platform-config';

/** When spaces gather their documents again. */
export class SpacesConfig {
  @Setting({
    env: 'ACERVO_SPACES_REFRESH_SECONDS',
    default: 0,
    min: 0,
    max: 31_536_000,
    description:
      'Seconds after which a space is refreshed before it is read; 0 for never. The query of a space is not searched again',
  })
  readonly refreshSeconds!: number;
}
