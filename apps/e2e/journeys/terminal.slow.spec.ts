import { mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, Program, type StartRequest, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

describe('the output at the terminal', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let program: Program;
  let key = '';

  const start = async (more: Partial<StartRequest> = {}): Promise<Program> => {
    program = await Program.start({ folder: null, data, port: await freePort(), ...more });
    key ||= program.key;
    program.key = key;
    return program;
  };
  /** Runs another start on the same data directory to its end. */
  const ask = async (more: Partial<StartRequest>): Promise<string> => {
    const other = Program.run({ folder: null, data, port: await freePort(), ...more });
    expect(await other.ended).toBe(0);
    return other.printed;
  };
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  it('an empty folder prints advice, in lines without terminal codes', async () => {
    mkdirSync(folder);
    await start({ folder });
    await program.done();
    expect(program.printed).toMatch(/Scanned .*: 0 files, 0 new/);
    await program.prints(/No document was found\. Put some into a folder above, or name another/);
    expect(program.printed).not.toContain('\u001b');
  });

  it('the loss of the only document waits until deletions are accepted', async () => {
    write(folder, { 'solo.txt': 'El único documento de la carpeta habla de molinos.' });
    await program.prints(/Done: 1 of 1 documents searchable/);
    unlinkSync(join(folder, 'solo.txt'));
    await program.prints(/1 of 1 documents are gone at once/);
    expect(await program.names('molinos')).toEqual(['solo.txt']);
    const status = await ask({ commands: [{ name: 'status' }] });
    expect(status).toMatch(/folder: 1 of 1 documents are gone at once/);
    expect(status).toMatch(/What to do:\n.*--accept-deletions/);
    expect(await ask({ acceptDeletions: true })).toMatch(/1 gone/);
    await until('it leaves search', async () => (await program.names('molinos')).length === 0);
    const after = await ask({ commands: [{ name: 'status' }] });
    expect(after).toMatch(/Done: 0 of 0 documents searchable, 0 chunks\.\n {2}Documents: 1 missing\./);
    expect(after).not.toMatch(/--accept-deletions/);
  });

  it('a failed document prints its reason and is retried on request', async () => {
    write(folder, {
      'long.html': `<!--${'x'.repeat(1_200_000)}--><p>Muy largo.</p>`,
      'presa.txt': 'La presa se vacía en agosto.',
    });
    await program.stop();
    await start({ environment: { ACERVO_EXTRACTION_FILE_MB: '1' } });
    await program.done();
    await program.prints(/Not searchable \(1\):\n {2}\/folder\/long\.html: .*large/);
    await program.prints(/1 document failed: npm start -- --retry-failed tries again\./);
    const worked = async (): Promise<unknown> => {
      const { body } = await program.ask('GET', '/v1/queue?process=ACQUIRE&limit=200');
      const items = body['items'] as { document_name: string; updated_at: string }[];
      return items.find((item) => item.document_name === 'long.html')?.updated_at;
    };
    const before = await worked();
    expect(await ask({ commands: [{ name: 'retry-failed' }] })).toMatch(
      /1 document that had failed is worked on again\./,
    );
    await until('it is tried again', async () => (await worked()) !== before);
    await until('it failed again', async () => /1 document failed/.test(await ask({ commands: [{ name: 'status' }] })));
    expect(await ask({ commands: [{ name: 'replay-dead' }] })).toMatch(/^There are no dead letters\.$/m);
  });

  it('a missing folder is reported, and its documents stay', async () => {
    await program.stop();
    renameSync(folder, `${folder}-elsewhere`);
    await start();
    await program.prints(/folder cannot be read now, so its documents stay as they are/);
    expect(await program.names('presa')).toEqual(['presa.txt']);
  });
});
