import { Setting } from '@acervo/platform-config';
import { EmbeddingConfig } from './embedding-config';

/** What the services share that cut texts and that look them up: the same words on both sides. */
export class TextConfig extends EmbeddingConfig {
  @Setting({
    env: 'ACERVO_LANGUAGES',
    default: 'es,en,de,fr,pt,it',
    description: 'Languages that text is told apart in, the one of doubt first; a change has documents cut anew',
  })
  readonly languages!: string;
}
