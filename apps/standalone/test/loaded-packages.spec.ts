import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Packages of engines and readers that the one-machine program loads where it uses them first. */
const ON_DEMAND = [
  '@aws-sdk/client-s3',
  '@opensearch-project/opensearch',
  'kafkajs',
  'nodemailer',
  'onnxruntime-node',
  '@electric-sql/pglite',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-http',
  '@hyzyla/pdfium',
  '@kenjiuno/msgreader',
  '@mozilla/readability',
  '@simplewebauthn/server',
  'csv-parse',
  'jsdom',
];

const LIST = `
require('reflect-metadata');
require(process.argv[1]);
const names = Object.keys(require.cache).map((file) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1]);
console.log(JSON.stringify([...new Set(names)].filter(Boolean)));`;

describe('the packages of a start', () => {
  it('loading every service loads no engine client and no reader', () => {
    const services = join(__dirname, '..', 'dist', 'installation', 'index.js');
    const output = execFileSync(process.execPath, ['-e', LIST, services], { encoding: 'utf8' });
    const loaded = JSON.parse(output) as string[];
    expect(loaded).toContain('@nestjs/core');
    expect(loaded.filter((name) => ON_DEMAND.includes(name))).toEqual([]);
  });
});
