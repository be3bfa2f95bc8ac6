import { Setting } from '@acervo/platform-config';

/** Settings shared by the services that chunk texts and those that search them: both sides must find the same words. */
export class TextConfig {
  @Setting({
    env: 'ACERVO_LANGUAGES',
    default: 'es,en,de,fr,pt,it,ca,eu,gl',
    description: 'Languages that are detected in texts, the default first; after a change, documents are cut again',
  })
  readonly languages!: string;
}
