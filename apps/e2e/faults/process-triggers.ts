import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { temporary, write } from '../harness/program';
import { until } from '../harness/waiting';
import { ExecutorReplicas } from './executor-replicas';

type Body = Answer['body'];

const PARALLEL = 8;
const SEARCHES = 2;

/** How often each name is among processes. */
const timesOf = (processes: readonly Body[], names: readonly string[]): readonly number[] =>
  names.map((name) => processes.filter((process) => process['name'] === name).length);

/** Makes every trigger of a process happen to two replicas of the executor. */
export const triggersOnTwoReplicas = ({ documents, rounds }: { documents: number; rounds: number }): void => {
  const place = temporary();
  const everyRound = Array.from({ length: rounds }, (_, round) => [round] as const);
  let replicas: ExecutorReplicas;

  beforeAll(async () => {
    replicas = await ExecutorReplicas.start(place.path);
  });
  afterAll(async () => {
    await replicas.stop();
    place.remove();
  });

  const agentStarts = (process_code: string, key: string): Promise<Answer> =>
    replicas.client.ask(...(['POST', '/v1/agent/tools/start_process', { arguments: { process_code } }] as const), {
      'idempotency-key': key,
    });
  const parallel = <T>(work: () => Promise<T>): Promise<readonly T[]> =>
    Promise.all(Array.from({ length: PARALLEL }, work));

  it.each(everyRound)('round %i: a classified document starts each definition of its type once', async (round) => {
    const names = await replicas.defineTwice(`LEASES${round}`, await leaseTrigger(round));
    const files = Array.from({ length: documents }, (_, index) => [`lease${round}-${index}.txt`, `Renta ${index}.`]);
    const path = join(replicas.folders, `leases-${round}`);
    write(path, Object.fromEntries(files) as Record<string, string>);
    await replicas.whileLeasesAreLost(async () => {
      await replicas.execute('locations.create', { path, entity_code: 'E1' });
      await until('every document has a type', async () => (await typed(round)) === documents);
      // The types are said again.
      await replicas.execute('document_types.update', {
        document_type_code: `LEASE${round}`,
        description: 'Otra vez.',
      });
      await replicas.execute('document_types.update', { document_type_code: `LEASE${round}`, description: 'Y otra.' });
      await replicas.kill(round % 2);
    });
    await until('each document has its processes', async () =>
      timesOf(await replicas.processes('GROUP'), names).every((times) => times >= documents),
    );
    const started = (await replicas.processes('GROUP')).filter(({ name }) => names.includes(String(name)));
    expect(new Set(started.map(({ name, document_code }) => `${String(name)} ${String(document_code)}`)).size).toBe(
      2 * documents,
    );
    expect(timesOf(started, names)).toEqual([documents, documents]);
  });

  it.each(everyRound)('round %i: a period starts each scheduled definition once', async (round) => {
    const names = await replicas.defineTwice(`MONTHLY${round}`, { trigger: 'SCHEDULE', period: 'MONTH' });
    await replicas.backdateSchedules();
    const started = async (): Promise<readonly number[]> => timesOf(await replicas.processes('GROUP'), names);
    await replicas.whileLeasesAreLost(async () => {
      await until('both have begun', async () => (await started()).every((times) => times > 0));
    });
    expect(await started()).toEqual([1, 1]);
  });

  it.each(everyRound)('round %i: one key of an agent starts one process', async (round) => {
    const names = await replicas.defineTwice(`BYHAND${round}`, {});
    for (const name of names) {
      const answers = await parallel(() => agentStarts(name, `key-${name}`));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await agentStarts(name, `key-${name}`)).status).toBe(409);
    }
    expect(timesOf(await replicas.processes('GROUP'), names)).toEqual([1, 1]);
  });

  it.each(everyRound)('round %i: an accepted offer of help asks for one process', async (round) => {
    await replicas.execute('parameters.update_group', { parameter_code: 'HELP_ENABLED', value: 'true' });
    const help = async (body: object): Promise<Body> =>
      (await replicas.client.ask('POST', '/v1/ask', { mode: 'help', ...body })).body;
    const { conversation_id } = await help({ question: `¿De qué color es el cielo en el planeta ${round}?` });
    const answers = await parallel(() => help({ question: 'Sí, por favor', conversation_id }));
    expect(new Set(answers.map(({ answer }) => answer)).size).toBeLessThanOrEqual(2);
    await until('the request is there', async () => (await replicas.processes('SUPPORT')).length > round);
    expect(await replicas.processes('SUPPORT')).toHaveLength(round + 1);
  });

  it('folders that lose most documents ask for a person once', async () => {
    const path = join(replicas.folders, 'leases-0');
    for (let index = 1; index < documents; index += 1) rmSync(join(path, `lease0-${index}.txt`));
    const { locations } = await replicas.execute('locations.list', { query: 'leases-0' });
    const location_code = (locations as Body[])[0]?.['code'];
    for (let scan = 1; scan <= 2; scan += 1) {
      await replicas.execute('locations.sync', { location_code });
      await until('the scan is over', async () => {
        const { runs } = (await replicas.client.ask('GET', '/v1/runs')).body;
        return (runs as Body[]).every(({ status }) => status !== 'IN_PROGRESS' && status !== 'PENDING');
      });
    }
    await until('the folder asks', async () => (await replicas.processes('INGESTION')).length > 0);
    expect(await replicas.processes('INGESTION')).toHaveLength(1);
  });

  it('a used up quota asks for a person once', async () => {
    await replicas.includeSearches(SEARCHES);
    const statuses = await parallel(async () => {
      const { status } = await replicas.client.ask('POST', '/v1/documents/search', { query: 'renta' });
      return status;
    });
    expect(statuses.filter((status) => status === 402).length).toBeGreaterThan(0);
    await until('the quota asks', async () => (await replicas.processes('QUOTA')).length > 0);
    expect(await replicas.processes('QUOTA')).toHaveLength(1);
  });

  it('broken audit records ask for a person once', async () => {
    await replicas.breakAudit();
    await until('the audit asks', async () => (await replicas.processes('AUDIT')).length > 0);
    expect(await replicas.processes('AUDIT')).toHaveLength(1);
  });

  /** A type of the documents whose names say so, and the trigger of its documents. */
  const leaseTrigger = async (round: number): Promise<object> => {
    const document_type_code = `LEASE${round}`;
    await replicas.execute('document_types.create', { code: document_type_code, name: 'Arrendamiento' });
    const rules = [{ field: 'NAME', match: 'CONTAINS', value: `lease${round}-`, effect: 'REQUIRES' }];
    await replicas.execute('document_types.set_boundary', { document_type_code, rules });
    return { trigger: 'DOCUMENT_CLASSIFIED', document_type_code };
  };

  const typed = async (round: number): Promise<number> => {
    const { documents: listed } = (await replicas.client.ask('GET', '/v1/documents?limit=100')).body;
    return (listed as Body[]).filter(({ document_type_code: code }) => code === `LEASE${round}`).length;
  };
};
