#!/usr/bin/env node
// Writes docs/openapi.json from the running product, docs/operations-catalogue.md from what is published and
// docs/configuration.md from the classes that read settings; tests fail while they differ.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/options.mjs';
import { format } from 'prettier';
import { build, install } from './lib/workspace.mjs';

await install();
await build();
const require = createRequire(import.meta.url);
require('reflect-metadata');
const { configurationGuide, startStandalone } = require('@acervo/standalone');
const place = mkdtempSync(join(tmpdir(), 'acervo-openapi-'));
const options = {
  folder: place,
  sample: place,
  data: join(place, '.data'),
  port: 18_999,
  processes: false,
  newKey: false,
  scanOnly: true,
};
const environment = {
  administrator: 'admin@acervo.local',
  mail: {},
  logLevel: 'warn',
  failpoint: undefined,
  embedder: { ACERVO_EMBEDDER: 'hashing' },
};
const pages = {
  'operations-catalogue.md': require('@acervo/operations').operationsGuide(),
  'configuration.md': configurationGuide(),
};
for (const [name, text] of Object.entries(pages))
  writeFileSync(join(root, 'docs', name), await format(text, { parser: 'markdown', printWidth: 120 }));
const running = await startStandalone(options, environment, () => undefined);
try {
  const document = await (await fetch(`http://127.0.0.1:${running.port}/openapi.json`)).json();
  writeFileSync(join(root, 'docs', 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
  process.stdout.write(`docs/openapi.json: ${Object.keys(document.paths).length} paths.\n`);
} finally {
  await running.stop();
  rmSync(place, { recursive: true, force: true });
}
