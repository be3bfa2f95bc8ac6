import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

/** A write, and how to check its effect. */
interface Case {
  readonly code: string;
  readonly input: object;
  readonly isThere: boolean;
}

const cases: readonly Case[] = [
  { code: 'entities.create', input: { code: 'E7', name: 'Siete' }, isThere: true },
  { code: 'entities.delete', input: { entity_code: 'E7' }, isThere: false },
];

describe('a write with an idempotency key', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let key = '';
  let program: Program;
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  const started = async (failpoint?: string): Promise<void> => {
    const environment: Record<string, string> = failpoint === undefined ? {} : { ACERVO_FAILPOINT: failpoint };
    // All services run in one process: a failpoint of any service ends the program.
    program = await Program.start({ folder, data, port: await freePort(), processes: false, environment });
    if (key === '') ({ key } = program);
    program.key = key;
  };
  const run = (code: string, input: object, headers: Record<string, string> = {}): Promise<Answer> =>
    program.ask('POST', `/v1/operations/${code}:execute`, { input, confirm: true }, headers);
  const dies = async (asked: Promise<Answer>): Promise<void> => {
    await expect(asked).rejects.toThrow();
    expect(await program.ended).toBe('SIGKILL');
  };
  const isThere = async (): Promise<boolean> => {
    const { entities } = (await run('entities.list', {})).body['result'] as { entities: { code: string }[] };
    return entities.some(({ code }) => code === 'E7');
  };
  const succeeded = async (operation: string): Promise<number> =>
    Number(
      ((await run('audit.list', { operation, outcome: 'SUCCEEDED' })).body['result'] as { total: number } | undefined)
        ?.total,
    );

  it('a process killed before or after commit leaves one effect and record', async () => {
    write(folder, { 'nota.txt': 'Una nota.' });
    await started(`before-commit.${cases[0]?.code ?? ''}`);
    for (const [place, { code, input, isThere: there }] of cases.entries()) {
      const headers = { 'idempotency-key': `key of ${code}`.replaceAll(' ', '-') };
      await dies(run(code, input, headers));

      await started(`after-commit.${code}`);
      expect([await isThere(), await succeeded(code)]).toEqual([!there, 0]);
      await dies(run(code, input, headers));

      const next = cases[place + 1];
      await started(next && `before-commit.${next.code}`);
      expect(await isThere()).toBe(there);
      // A repeated write whose first response was lost.
      for (let round = 0; round < 2; round += 1)
        expect(await run(code, input, headers)).toMatchObject({ status: 409, body: { details: { done: true } } });
      expect(await isThere()).toBe(there);
      await until('its record', async () => (await succeeded(code)) === 1);
    }
    const verifying = Program.run({ folder: null, data, port: await freePort(), commands: [{ name: 'verify-audit' }] });
    await verifying.ended;
    expect(verifying.printed).toMatch(/^Audit: \d+ records, each as it was written\.$/m);
  }, 240_000);
});
