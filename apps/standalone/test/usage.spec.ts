import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from './program';

const start = (...args: string[]): { status: number | null; said: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, 'tools', 'start.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}`.trim() };
};

describe('npm start', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-usage-'));
  const file = join(place, 'file.txt');
  writeFileSync(file, 'x');
  afterAll(() => rmSync(place, { recursive: true }));

  it('tells everything it understands', () => {
    const { status, said } = start('--help');
    expect(status).toBe(0);
    for (const option of [
      '--data DIR',
      '--port N',
      '--processes',
      '--new-key',
      '--scan-only',
      'ACERVO_ADMIN_EMAIL',
      'Ctrl-C',
    ])
      expect(said).toContain(option);
  });
  it.each([
    [
      'an option that does not exist',
      ['--bogus'],
      'There is no option --bogus. "npm start -- --help" lists what there is.',
    ],
    [
      'a folder that is missing',
      [join(place, 'nowhere')],
      `The folder ${join(place, 'nowhere')} does not exist; check the name.`,
    ],
    ['a file instead of a folder', [file], `${file} is a file; give the folder that it lies in.`],
    ['two folders', [place, place], 'Give one folder at a time; the next start can add another.'],
    ['a port that is none', ['--port', '99999'], '--port takes a number from 1 to 65535, not "99999".'],
    ['a port that is a word', ['--port', 'http'], '--port takes a number from 1 to 65535, not "http".'],
  ])('says what is wrong with %s, and does nothing', (_what, args, sentence) => {
    expect(start(...args)).toEqual({ status: 2, said: sentence });
  });
});
