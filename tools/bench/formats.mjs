// Ingests a folder in a running product, and checks every row of its MANIFEST.tsv through /v1.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { readManifest, refusalProblem, snippetProblem } from '../lib/manifest.mjs';
import { withRunning } from './lib/installation.mjs';

const hasRecogniser = () => spawnSync('tesseract', ['--version'], { stdio: 'ignore' }).status === 0;

/** All documents by file name, without attachments, which have the path of their carrier. */
const listed = async (ask, root) => {
  const documents = new Map();
  for (let page = 1; ; page += 1) {
    const answer = await ask('GET', `/v1/documents?limit=100&page=${page}`);
    for (const document of answer.documents)
      if (document.fs.path === `/${root}/${document.name}`) documents.set(document.name, document);
    if (page * 100 >= answer.total) return documents;
  }
};

const checkRow = async (row, document, { ask, recognises }) => {
  if (document === undefined) return 'the file is no document';
  const detail = await ask('GET', `/v1/documents/${document.code}`);
  if (row.expect === 'error') return refusalProblem(row, detail);
  if (row.note.startsWith('ocr') && !recognises)
    return detail.status === 'VECTORIZED' ? null : refusalProblem(row, detail);
  if (detail.status !== 'VECTORIZED') return `ended as ${detail.status}: ${detail.reason}`;
  if (row.snippet === '') return null;
  const { documents } = await ask('POST', '/v1/documents/search', { query: row.snippet, limit: 100 });
  return snippetProblem(
    row,
    documents.find(({ code }) => code === document.code),
  );
};

/** The bodies of successful answers. */
const answersOf = (installation) => async (method, path, body) => {
  const answer = await installation.ask(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}.`);
  return answer.body;
};

/** Prints the result of each row, and how many are as expected. */
const checkRows = async (rows, ask) => {
  const recognises = hasRecogniser();
  const documents = await listed(ask, 'files');
  let failed = 0;
  for (const row of rows) {
    const document = documents.get(row.file);
    const problem = await checkRow(row, document, { ask, recognises });
    failed += problem === null ? 0 : 1;
    const state = document?.status ?? '-';
    process.stdout.write(
      `${problem === null ? 'ok  ' : 'FAIL'}  ${row.file.padEnd(30)} ${state.padEnd(12)} ${problem ?? ''}\n`,
    );
  }
  process.stdout.write(`\n${rows.length - failed} of ${rows.length} rows as expected, ${failed} not`);
  process.stdout.write(`; text in pictures is ${recognises ? '' : 'not '}recognised on this machine.\n`);
  if (failed > 0) process.exitCode = 1;
};

export const run = async ({ data }) => {
  if (data === undefined || !existsSync(join(data, 'MANIFEST.tsv')))
    throw new Error('Say where the files are: --data DIR, a folder with a MANIFEST.tsv.');
  const place = mkdtempSync(join(tmpdir(), 'acervo-formats-'));
  const folder = join(place, 'files');
  const rows = readManifest(join(data, 'MANIFEST.tsv'));
  for (const { file } of rows) cpSync(join(data, file), join(folder, file));
  const started = performance.now();
  try {
    await withRunning({ folder, data: join(place, 'data'), embedder: null }, async (installation) => {
      await installation.running.ingested;
      process.stdout.write(`ingested after ${((performance.now() - started) / 1000).toFixed(1)} s\n\n`);
      await checkRows(rows, answersOf(installation));
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
};
