import { getDocument, listDocuments, revertDocument } from '@acervo/contracts';
import { until } from '../harness/waiting';
import { fingerprint, groupTables } from './evidence';
import type { SuiteContext } from './differential';

/**
 * Tables of the other group that change while the calling group's documents are read, chunked, embedded and indexed
 * again.
 */
export const changedByReprocessing = async ({
  installation,
  tenants,
  credentials,
}: SuiteContext): Promise<readonly string[]> => {
  const calls = installation.callsOf('operations');
  const scope = await credentials.scope(await credentials.session());
  const tables = await groupTables(installation);
  const print = () => fingerprint(installation, tables, tenants.other.groupId);
  const { documents } = await installation.callsOf('gateway').send(listDocuments, scope, { limit: 100, page: 1 });
  // Documents ingested from files; both groups have them, with the same ids, codes and lengths of content.
  const codes = documents.filter(({ name }) => /^zqa(riego|turnos)\.txt$/.test(name)).map(({ code }) => code);
  if (codes.length !== 2) throw new Error(`Expected two ingested documents, and found ${codes.length}.`);
  const before = await print();
  for (const documentCode of codes) await calls.send(revertDocument, scope, { documentCode, status: 'DETECTADO' });
  for (const documentCode of codes)
    await until(`the document ${documentCode} is done again`, async () => {
      const { status, reason } = await calls.send(getDocument, scope, { documentCode });
      if (status === 'ERROR') throw new Error(`A document of one's own has the state ${status}: ${reason}`);
      return status === 'VECTORIZADO';
    });
  const after = await print();
  return Object.keys(after).filter((name) => before[name] !== after[name]);
};
