/**
 * This process starts the built installation, so that the suite reaches its processes and tables.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { describeOnStack } from '@acervo/platform-testing';
import { temporary } from '../harness/program';
import { until } from '../harness/waiting';
import { Agreement, DAMAGE } from './agreement';
import { Installation } from '../harness/installation';
import { WrittenDocuments } from './written-documents';
import { SERVICES } from '../harness/deployment/composed-environments';
import { ENGINES, lineOf, MANY, runWithFault, type FaultTarget } from './faults';

/**
 * Documents that arrive in each step. `npm run stack -- test --faults` uses 500, and 100 with two processes per
 * service.
 */
const EACH = Number(process.env['ACERVO_FAULT_DOCUMENTS'] ?? 10);
const PROGRESS_MS = 60_000;

interface Life {
  readonly title: string;
  readonly replicas: number;
  readonly documents: number;
  readonly victims: readonly FaultTarget[];
}

const one: Life = {
  ...{ title: 'services in processes of their own', replicas: 1, documents: EACH },
  victims: [...SERVICES, ...ENGINES],
};
const two: Life = {
  ...{ title: 'two processes of each service', replicas: 2, documents: Math.max(10, EACH / 5) },
  victims: [...SERVICES, 'kafka'],
};
const lives = process.env['ACERVO_STACK_SHORT'] === undefined ? [one, two] : [one];

describeOnStack('on real engines', [...ENGINES], () => {
  describe.each(lives)('$title', ({ title, replicas, documents, victims }) => {
    const place = temporary();
    const folder = join(place.path, 'folder');
    let installation: Installation;
    let before: readonly string[] = [];
    const written = new WrittenDocuments(folder, () => installation);

    beforeAll(async () => {
      before = written.arrive(10);
      installation = await Installation.start({ folder, data: join(place.path, 'data'), replicas });
      await until('the first documents are searchable', async () => (await written.open()) === 0, 120_000);
      process.stdout.write(`${title}, ${documents} documents a step\n`);
    }, 240_000);
    afterAll(async () => {
      await installation.stop();
      place.remove();
    });

    it(`each service has ${replicas} processes`, () => {
      for (const service of SERVICES) expect(installation.processesOf(service)).toHaveLength(replicas);
    });

    it.each(victims)(
      'killing %s during ingestion loses and doubles no document',
      async (target) => {
        const changed = before.slice(0, Math.ceil(documents / 10));
        const { outcome, names } = await runWithFault(target, { installation, written, documents }, changed);
        before = names;
        process.stdout.write(`  ${lineOf(outcome)}\n`);
        expect(outcome).toMatchObject({ lost: 0, doubled: 0, copies: 0, open: 0 });
        expect(outcome.progressMs ?? 0).toBeLessThan(PROGRESS_MS);
        // Otherwise the kill did not happen under load.
        if (documents >= MANY) expect(outcome.underWay).toBeGreaterThan(0);
      },
      900_000,
    );

    it('all stores agree at rest, and differences are repaired', async () => {
      const agreement = new Agreement(installation);
      const atRest = await agreement.compare();
      process.stdout.write(`  at rest ${atRest.differences.length} differences of ${atRest.documents} documents\n`);
      expect(atRest).toMatchObject({ documents: written.written, differences: [] });
      const damaged = await agreement.damage();
      expect(damaged).toHaveLength(DAMAGE.length);
      const { differences } = await agreement.compare();
      process.stdout.write(`  planted: ${differences.map(({ kind, found }) => `${kind} ${found}`).join(', ')}\n`);
      expect(differences.filter(({ found, repaired }) => found !== repaired)).toEqual([]);
      const kinds = differences.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(DAMAGE.map(({ kind }) => kind)));
      await until('what was repaired is worked again', async () => (await written.open()) === 0, 60_000);
      expect(await written.counts(damaged)).toMatchObject({ lost: 0, doubled: 0, copies: 0, open: 0 });
      expect((await agreement.compare()).differences).toEqual([]);
    }, 240_000);
  });
});
