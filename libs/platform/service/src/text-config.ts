import { Setting } from '@acervo/platform-config';

/** Settings shared by the services that chunk texts and those that search them: both sides must find the same words. */
export class TextConfig {
  @Setting({
    env: 'ACERVO_LANGUAGES',
    default: 'es,en,de,fr,pt,it',
    description: 'Languages that text is told apart in, the one of doubt first; a change has documents cut anew',
  })
  readonly languages!: string;
}
