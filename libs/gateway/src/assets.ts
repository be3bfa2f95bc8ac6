import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Page } from '@acervo/platform-http';

const read = (...path: readonly string[]): string => readFileSync(join(__dirname, '..', 'assets', ...path), 'utf8');

/** A page of the gateway, put together from its files and the ones that all pages share. */
export const pageFrom = (folder: string): Page =>
  new Page({
    frame: read(folder, 'page.html'),
    style: read('shared', 'style.css'),
    script: `${read('shared', 'script.js')}\n${read(folder, 'script.js')}`,
  });
