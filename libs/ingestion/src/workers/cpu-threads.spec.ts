import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_FINDINGS } from '../classification/classified';
import { CLASSIFY_DOCUMENTS, type ClassifyJob } from '../classification/classify-job';
import type { Taxonomy } from '../taxonomy/taxonomy';
import { CpuThreads } from '../cpu/cpu-threads';
import { runJob } from '../cpu/cpu';

const taxonomyOf = (version: number, phrase: string): Taxonomy => ({
  ...{ version, categories: [], features: [] },
  types: [
    {
      ...{ code: 'T', name: 'T', description: '', parentCode: null, entityCode: null },
      boundary: {
        ...{ includes: '', excludes: '', examples: [] },
        rules: [{ field: 'TEXT', match: 'CONTAINS', value: phrase, effect: 'REQUIRES' }],
      },
    },
  ],
});

const job = (key: string, taxonomy: Taxonomy | null): ClassifyJob => ({
  key,
  source: taxonomy === null ? null : { taxonomy, examples: [], floor: 0 },
  documents: [
    {
      ...{ documentId: 'd', entityCode: 'E', name: 'n', path: '/n', language: null, title: null, vector: null },
      ...{ stored: Buffer.from(JSON.stringify({ text: 'uno dos', pages: [] })), findings: NO_FINDINGS },
    },
  ],
});
const typeOf = async (asked: ClassifyJob) => (await runJob(CLASSIFY_DOCUMENTS, asked))?.[0]?.decision.typeCode;

describe('classification in threads', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'threads-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  it('a thread asks once for the taxonomy of each version', async () => {
    expect(await runJob(CLASSIFY_DOCUMENTS, job('g/1', null))).toBeNull();
    expect(await typeOf(job('g/1', taxonomyOf(1, 'dos')))).toBe('T');
    expect(await typeOf(job('g/2', taxonomyOf(2, 'tres')))).toBeNull();
    expect(await typeOf(job('g/1', null))).toBe('T');
  });
  it('a job beyond its deadline fails, and the next one gets a new thread', async () => {
    const entry = join(folder, 'entry.cjs');
    const answer = 'if (input.key === "late") for (;;); parentPort.postMessage({ output: "done" });';
    writeFileSync(
      entry,
      `const { parentPort } = require('node:worker_threads');
      parentPort.on('message', ({ input }) => { ${answer} });`,
    );
    const threads = new CpuThreads(1, entry);
    const late = threads.run({ ...CLASSIFY_DOCUMENTS, deadlineMs: 2_000 }, job('late', null));
    // Without a deadline: a machine under load may start the second thread late.
    const next = threads.run({ ...CLASSIFY_DOCUMENTS, deadlineMs: undefined }, job('next', null));
    await expect(late).rejects.toMatchObject({ name: 'ThreadLate' });
    await expect(next).resolves.toBe('done');
    await threads.close();
  });
});
