import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Page } from '@acervo/platform-http';

const read = (...path: readonly string[]): string => readFileSync(join(__dirname, '..', 'assets', ...path), 'utf8');

/**
 * A page of the gateway, put together from its files and the ones that all pages share.
 * @param scripts of the folder, in the order of the one module that they become
 */
export const pageFrom = (folder: string, ...scripts: readonly string[]): Page =>
  new Page({
    frame: read(folder, 'page.html'),
    style: read('shared', 'style.css'),
    script: [read('shared', 'script.js'), ...scripts.map((name) => read(folder, name))].join('\n'),
  });
