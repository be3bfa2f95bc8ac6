import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Page } from '@acervo/platform-http';

const assets = join(__dirname, '..', '..', 'assets', 'set-password');
const read = (name: string): string => readFileSync(join(assets, name), 'utf8');

/** The form behind the links of mails, put together from its files once. */
export const setPasswordPage = (): Page =>
  new Page({ frame: read('page.html'), style: read('style.css'), script: read('script.js') });
