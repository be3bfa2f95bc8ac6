import { NotFound, registerFolder, startRun } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { ingestFolder, type IngestRequest } from './ingest-folder';

const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'standalone', 'test');
const summary = { run: 1, seen: 3, added: 1, changed: 0, missing: 0, ignored: [], notice: null };

/** Ingests a folder that is registered as L2; answers the calls that were sent, and the result. */
const ingest = async (request: Partial<IngestRequest>) => {
  const sent: string[] = [];
  const printed: string[] = [];
  const calls = {
    send: (call: unknown, _scope: unknown, { locationCode }: { locationCode?: string }) => {
      sent.push(call === registerFolder ? 'register' : call === startRun ? `scan ${locationCode}` : '?');
      if (call === registerFolder) return Promise.resolve({ locationCode: 'L2', name: 'docs', created: false });
      return locationCode === 'L2' ? Promise.resolve(summary) : Promise.reject(new NotFound());
    },
  } as unknown as Calls;
  const order = { folder: '/docs', entityCode: 'E1', acceptDeletions: false, onlyChanges: true, ...request };
  const result = await ingestFolder(calls, scope, order, (line) => void printed.push(line));
  return { sent, result, printed };
};

describe('the ingestion of a folder', () => {
  it('a new folder is registered and scanned', async () => {
    const { sent, result } = await ingest({});
    expect(sent).toEqual(['register', 'scan L2']);
    expect(result).toEqual({ locationCode: 'L2', isNews: true, notice: null });
  });
  it('a folder with a known code is scanned without another registration', async () => {
    expect((await ingest({ locationCode: 'L2' })).sent).toEqual(['scan L2']);
  });
  it('a folder whose code is no longer valid is registered again', async () => {
    expect((await ingest({ locationCode: 'L1' })).sent).toEqual(['scan L1', 'register', 'scan L2']);
  });
  it('the variable that programs open its files with is shown', async () => {
    const variable = 'ACERVO_HOME_L2=/docs';
    expect((await ingest({ onlyChanges: false })).printed.join()).toContain(variable);
    expect((await ingest({})).printed.join()).not.toContain(variable);
  });
});
