import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Page } from '@acervo/platform-http';

const assets = join(__dirname, '..', '..', 'assets', 'search-page');
const read = (name: string): string => readFileSync(join(assets, name), 'utf8');

/** The search page, assembled once from its files. */
export const searchPage = (): Page =>
  new Page({ frame: read('page.html'), style: read('style.css'), script: read('script.js') });
