import { join } from 'node:path';
import { asOwner } from './in-database';
import { freePort, Program, type StartRequest, temporary, until, write } from './program';

describe('a command ends with a code that tells whether it was done', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let program: Program;

  /** Another start on the same data directory, to its end. */
  const run = async (more: Partial<StartRequest>): Promise<{ code: unknown; printed: string }> => {
    const other = Program.run({ folder: null, data, port: await freePort(), ...more });
    return { code: await other.ended, printed: other.printed };
  };
  const broken = /^Audit: record 1 is not what was written, or is missing; the 0 before it are whole\./m;
  const whole = /^Audit: [1-9]\d* records, each as it was written\.$/m;

  beforeAll(async () => {
    write(folder, { 'uno.txt': 'El puente viejo se cierra por obras.' });
    program = await Program.start({ folder, data, port: await freePort() });
    await program.done();
    const entity = { input: { code: 'E7', name: 'Siete' } };
    expect((await program.ask('POST', '/v1/operations/entities.create:execute', entity)).status).toBe(200);
  }, 120_000);
  afterAll(async () => {
    await program.stop();
    place.remove();
  }, 60_000);

  it('to a program that runs: 0 for what is as it should be', async () => {
    // Records arrive by event.
    await until('the chain has records', async () => whole.test((await run({ verifyAudit: true })).printed));
    expect((await run({ verifyAudit: true })).code).toBe(0);
    expect((await run({ status: true })).code).toBe(0);
  }, 60_000);

  it('to a program that runs: 1 for an export that cannot be written, with the reason', async () => {
    const { code, printed } = await run({ exportTo: join(place.path, 'absent', 'export.json') });
    expect([code, printed]).toEqual([1, expect.stringMatching(/^This could not be done: .*absent/m)]);
  }, 60_000);

  it('by itself and to a program that runs: 1 for a chain of audit records that was tampered with', async () => {
    await program.stop();
    const tampering = `update operations.audit_record set actor = 'x@example.org' where group_id = $1 and number = 1`;
    await asOwner(data, 'operations', [tampering]);
    expect(await run({ verifyAudit: true })).toEqual({ code: 1, printed: expect.stringMatching(broken) as string });
    program = await Program.start({ folder: null, data, port: await freePort() });
    expect(await run({ verifyAudit: true })).toEqual({ code: 1, printed: expect.stringMatching(broken) as string });
  }, 120_000);

  it('by itself: 1 for a folder that could not be taken in, or an export that cannot be written', async () => {
    await program.stop();
    const inside = join(folder, 'inside');
    write(inside, { 'dos.txt': 'La fuente de la plaza.' });
    const scan = await run({ folder: inside, scanOnly: true });
    expect([scan.code, scan.printed]).toEqual([1, expect.stringMatching(/was left out: The folder lies inside/)]);
    const written = await run({ exportTo: join(place.path, 'absent', 'export.json') });
    expect([written.code, written.printed]).toEqual([1, expect.stringMatching(/absent/)]);
    program = await Program.start({ folder: null, data, port: await freePort() });
  }, 120_000);
});
