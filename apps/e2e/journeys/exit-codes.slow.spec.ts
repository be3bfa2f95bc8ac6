import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asOwner } from '../harness/in-database';
import { freePort, Program, type StartRequest, temporary, write } from '../harness/program';
import { eventually } from '../harness/waiting';

describe('the exit code of a command', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let program: Program;

  /** Runs another start on the same data directory to its end. */
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
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  it('a running program: a sound audit chain exits with 0', async () => {
    // Audit records arrive as events.
    const { code } = await eventually('the chain has records', async () => {
      const verified = await run({ commands: [{ name: 'verify-audit' }] });
      return whole.test(verified.printed) ? verified : undefined;
    });
    expect(code).toBe(0);
    expect((await run({ commands: [{ name: 'status' }] })).code).toBe(0);
  });

  it('a running program: an unwritable export exits with 1 and a reason', async () => {
    const { code, printed } = await run({
      commands: [{ name: 'export', value: join(place.path, 'absent', 'export.json') }],
    });
    expect([code, printed]).toEqual([1, expect.stringMatching(/^This could not be done: .*absent/m)]);
  });

  it('a running program: options of a new start exit with 2', async () => {
    const absent = join(place.path, 'absent');
    for (const [command, named] of [
      [{ embedder: 'e5' }, '--embedder e5'],
      [{ scanOnly: true }, '--scan-only'],
      [{ port: 9, portNamed: true }, '--port 9'],
    ] as const) {
      const { code, printed } = await run({ ...command, commands: [{ name: 'export', value: absent }] });
      expect([code, printed.trim()]).toEqual([
        2,
        `Acervo runs already, and ${named} applies at a start only; nothing was done. Stop Acervo and start it with ${named}.`,
      ]);
      expect(existsSync(absent)).toBe(false);
    }
  });

  it('running or stopped: a tampered audit chain exits with 1', async () => {
    await program.stop();
    const tampering = `update operations.audit_record set actor = 'x@example.org' where group_id = $1 and number = 1`;
    await asOwner(data, 'operations', [tampering]);
    expect(await run({ commands: [{ name: 'verify-audit' }] })).toEqual({
      code: 1,
      printed: expect.stringMatching(broken) as string,
    });
    program = await Program.start({ folder: null, data, port: await freePort() });
    expect(await run({ commands: [{ name: 'verify-audit' }] })).toEqual({
      code: 1,
      printed: expect.stringMatching(broken) as string,
    });
  });

  it('a stopped program: a failed folder or export exits with 1', async () => {
    await program.stop();
    const inside = join(folder, 'inside');
    write(inside, { 'dos.txt': 'La fuente de la plaza.' });
    const scan = await run({ folder: inside, scanOnly: true });
    expect([scan.code, scan.printed]).toEqual([1, expect.stringMatching(/was left out: The folder lies inside/)]);
    const written = await run({ commands: [{ name: 'export', value: join(place.path, 'absent', 'export.json') }] });
    expect([written.code, written.printed]).toEqual([1, expect.stringMatching(/absent/)]);
  });
});
