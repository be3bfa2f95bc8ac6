import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../harness/program';

const start = (...args: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, 'tools', 'start.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}`.trim() };
};

describe('npm run bench', () => {
  it.each([
    [['--help'], 0],
    [['no-such-bench'], 2],
    [['--no-such-option'], 2],
  ])('npm run bench with %p prints its usage', (args, code) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, 'tools', 'bench.mjs'), ...args], {
      encoding: 'utf8',
    });
    expect(status).toBe(code);
    expect(`${stdout}${stderr}`).toContain('npm run bench -- speed');
  });
});

describe('npm start', () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'acervo-usage-')));
  const [file, inner] = [join(place, 'file.txt'), join(place, 'inner')];
  const [linkToInner, linkToPlace] = [join(inner, 'link'), join(inner, 'up')];
  writeFileSync(file, 'x');
  mkdirSync(inner);
  symlinkSync(inner, linkToInner);
  symlinkSync(place, linkToPlace);
  afterAll(() => rmSync(place, { recursive: true }));

  it('the help of npm start lists every option', () => {
    const { status, output } = start('--help');
    expect(status).toBe(0);
    for (const option of [
      '--data DIR',
      '--port N',
      '--processes',
      '--new-key',
      '--scan-only',
      '--plain',
      '--status',
      '--retry-failed',
      '--accept-deletions',
      '--export [FILE]',
      '--import FILE',
      '--rebuild',
      '--replay-dead',
      'ACERVO_LOG_LEVEL',
      'ACERVO_ADMIN_EMAIL',
      'Ctrl-C',
    ])
      expect(output).toContain(option);
  });
  it.each([
    [
      'an option that does not exist',
      ['--bogus'],
      'There is no option --bogus. "npm start -- --help" lists all options.',
    ],
    [
      'a folder that is missing',
      [join(place, 'nowhere')],
      `The folder ${join(place, 'nowhere')} does not exist; check the name.`,
    ],
    ['a file instead of a folder', [file], `${file} is a file; give the folder that it lies in.`],
    ['two folders', [place, place], 'Give one folder at a time; the next start can add another.'],
    [
      'a folder in the data directory',
      [place, '--data', place],
      `${place} lies in the data directory ${place}; name a folder with documents.`,
    ],
    [
      'a data directory in the folder',
      [place, '--data', join(place, 'data')],
      `The data directory ${join(place, 'data')} lies in the folder ${place}, which would ingest itself; choose one beside it with --data.`,
    ],
    [
      'a folder in the data directory, named by a link',
      [linkToInner, '--data', place],
      `${inner} lies in the data directory ${place}; name a folder with documents.`,
    ],
    [
      'a data directory in the folder, named by a link',
      [inner, '--data', join(linkToPlace, 'inner', 'new', 'data')],
      `The data directory ${join(inner, 'new', 'data')} lies in the folder ${inner}, which would ingest itself; choose one beside it with --data.`,
    ],
    ['an invalid port', ['--port', '99999'], '--port takes a number from 1 to 65535, not "99999".'],
    ['a port that is a word', ['--port', 'http'], '--port takes a number from 1 to 65535, not "http".'],
  ])('npm start refuses %s with a reason, and does nothing', (_what, args, sentence) => {
    expect(start(...args)).toEqual({ status: 2, output: sentence });
  });
});
