import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditVerdict, verifyAudit } from '@acervo/contracts';
import type { AdminCommandRequest } from '@acervo/platform-service/admin-commands';
import { WorkScope } from '@acervo/rbac';
import { Installation } from '../harness/installation';
import { freePort, Program, type StartRequest, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

const PASSPHRASE = 'una frase que abre la copia';

describe('a backup of a running installation', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  const file = join(place.path, 'acervo.backup');
  const printed: string[] = [];
  let installation: Installation;
  let key = '';
  /** Numbers of the entities whose making was acknowledged while the backup ran. */
  const acknowledged: number[] = [];

  interface Ended {
    readonly code: unknown;
    readonly text: string;
  }
  const ended = async (request: Partial<StartRequest>, passphrase?: string): Promise<Ended> => {
    const environment: Record<string, string> =
      passphrase === undefined ? {} : { ACERVO_BACKUP_PASSPHRASE: passphrase };
    const command = Program.run({ folder: null, data, port: await freePort(), environment, ...request });
    return { code: await command.ended, text: command.printed };
  };
  const run = (name: AdminCommandRequest['name'], value = '', passphrase?: string): Promise<Ended> =>
    ended({ commands: [value === '' ? { name } : { name, value }] }, passphrase);
  const verdict = (): Promise<AuditVerdict> => {
    const scope = new WorkScope(installation.scope.groupId, 'standalone', 'test');
    return installation.running.calls.send(verifyAudit, scope, {});
  };
  const names = async (): Promise<string[]> => {
    const { body } = await installation.ask('POST', '/v1/documents/search', { query: 'el puente viejo', limit: 5 });
    return (body['documents'] as { name: string }[]).map(({ name }) => name);
  };

  beforeAll(async () => {
    write(folder, { 'uno.txt': 'El puente viejo se cierra por obras.', 'dos.txt': 'La feria abre en mayo.' });
    const settings = { ACERVO_AUDIT_ANCHOR_SECONDS: '1' };
    installation = await Installation.start({
      folder,
      data,
      processes: false,
      settings,
      commands: [{ name: 'new-key' }],
    });
    key = installation.running.apiKey ?? '';
    await installation.running.ingested;
    const entity = { input: { code: 'E7', name: 'Siete' } };
    expect((await installation.ask('POST', '/v1/operations/entities.create:execute', entity)).status).toBe(200);
    await until('the last record is anchored', async () => {
      const { links, lastAnchor } = await verdict();
      return links > 1 && lastAnchor?.number === links;
    });
  });
  afterAll(async () => {
    await installation.stop();
    place.remove();
  });

  it('is made while documents are written, and readable by its owner alone', async () => {
    let isOver = false;
    const backing = run('backup', file, PASSPHRASE).finally(() => (isOver = true));
    for (let number = 0; !isOver; number += 1) {
      const entity = { input: { code: `X${number}`, name: 'Otra' } };
      const { status } = await installation.ask('POST', '/v1/operations/entities.create:execute', entity);
      // A long pause of the database is refused: nothing was promised.
      expect([200, 503]).toContain(status);
      if (status === 200) acknowledged.push(number);
    }
    const { code, text } = await backing;
    expect([code, text]).toEqual([0, expect.stringMatching(/^Backed up to .* as of .*; the database paused for /m)]);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes(Buffer.from(key))).toBe(false);
  });

  it('the file is never overwritten', async () => {
    const { code, text } = await run('backup', file, PASSPHRASE);
    expect([code, text]).toEqual([1, expect.stringContaining('is there already')]);
  });

  it('after everything is destroyed, searches, keys, audit and stores are back', async () => {
    const { links: before } = await verdict();
    await installation.stop();
    rmSync(data, { recursive: true });
    installation = await Installation.start({
      ...{ folder, data, processes: false, restoreFrom: file, passphrase: PASSPHRASE },
      print: (line) => void printed.push(line),
    });
    expect(printed.join('\n')).toMatch(/^Restored from .* files, as of .* since is lost/m);
    installation.key = key;
    expect(await names()).toEqual(expect.arrayContaining(['uno.txt']));
    await installation.running.ingested;
    // Whatever was acknowledged before the last restored change is restored.
    const rows = await installation.rows<{ code: string }>(
      'auth',
      `select code from auth.entity where group_id = $1 and code like 'X%'`,
    );
    const restored = rows.map(({ code }) => Number(code.slice(1)));
    const last = Math.max(-1, ...restored);
    expect(restored).toEqual(expect.arrayContaining(acknowledged.filter((number) => number <= last)));
    const { links, broken, flawed } = await verdict();
    expect([links > 1 && links <= before, broken, flawed]).toEqual([true, null, []]);
    const compared = await run('compare');
    expect([compared.code, compared.text]).toEqual([0, expect.stringMatching(/The stores agree: 2 documents/)]);
  });

  it.each([
    ['a wrong passphrase', (bytes: Buffer) => bytes, 'otra frase', /is not the passphrase that it was made with/],
    ['a cut file', (bytes: Buffer) => bytes.subarray(0, bytes.length - 40), PASSPHRASE, /the file is damaged/],
    ['no passphrase', (bytes: Buffer) => bytes, undefined, /is encrypted; set ACERVO_BACKUP_PASSPHRASE/],
  ])('a restore with %s makes nothing', async (_what, change, passphrase, message) => {
    const copy = join(place.path, 'changed.backup');
    writeFileSync(copy, change(readFileSync(file)));
    const target = join(place.path, 'never');
    const { code, text } = await ended({ data: target, restoreFrom: copy }, passphrase);
    expect([code, text]).toEqual([1, expect.stringMatching(message)]);
    expect(() => statSync(target)).toThrow('ENOENT');
  });
});
