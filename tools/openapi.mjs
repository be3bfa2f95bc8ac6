#!/usr/bin/env node
// Generates pages of the documentation; tests and lint fail while the pages differ from their sources.
// docs/openapi.json and the generated parts of clients/typescript and clients/python: the running product. docs/operations-catalogue.md: the published operations.
// docs/metrics.md: the declarations of metrics. docs/configuration.md and setting-names.ts of libs/platform/config: the configuration classes. The graph of docs/architecture.md: the projects.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/options.mjs';
import { format } from 'prettier';
import { withGraph } from './checks/project-graph.mjs';
import { writePythonClient } from './lib/python-client.mjs';
import { writeTypescriptClient } from './lib/typescript-client.mjs';
import { build, install } from './lib/workspace.mjs';

await install();
await build();
const require = createRequire(import.meta.url);
require('reflect-metadata');
const { configurationGuide, metricsGuide, settingNamesSource, startStandalone } = require('@acervo/standalone');
const place = mkdtempSync(join(tmpdir(), 'acervo-openapi-'));
const options = {
  folder: place,
  sample: place,
  data: join(place, '.data'),
  port: 18_999,
  processes: false,
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
  'metrics.md': await metricsGuide(),
  'architecture.md': withGraph(root, readFileSync(join(root, 'docs', 'architecture.md'), 'utf8')),
};
for (const [name, text] of Object.entries(pages))
  writeFileSync(join(root, 'docs', name), await format(text, { parser: 'markdown', printWidth: 120 }));
const names = join(root, 'libs', 'platform', 'config', 'src', 'setting-names.ts');
writeFileSync(names, settingNamesSource());
const running = await startStandalone(options, environment, () => undefined);
try {
  const document = await (await fetch(`http://127.0.0.1:${running.port}/openapi.json`)).json();
  writeFileSync(join(root, 'docs', 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
  await writeTypescriptClient();
  writePythonClient();
  process.stdout.write(`docs/openapi.json: ${Object.keys(document.paths).length} paths.\n`);
} finally {
  await running.stop();
  rmSync(place, { recursive: true, force: true });
}
