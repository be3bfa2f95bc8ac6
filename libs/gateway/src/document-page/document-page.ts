import type { Page } from '@acervo/platform-http';
import { pageFrom } from '../assets';

/** The page of a document, put together from its files once. */
export const documentPage = (): Page => pageFrom('document-page', 'texts.js', 'login.js', 'script.js');
