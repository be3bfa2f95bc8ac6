import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silent } from '@acervo/platform-testing';
import { LogKeeper } from './log-keeper';

describe('the log of an installation', () => {
  let place: string;
  let file: string;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'acervo-log-'));
    file = join(place, 'acervo.log');
  });
  afterEach(() => rmSync(place, { recursive: true }));
  const keeper = (): LogKeeper => new LogKeeper({ file, logger: silent, largest: 100, retained: 2 });
  const text = (name = 'acervo.log'): string => readFileSync(join(place, name), 'utf8');

  it('a small log stays unchanged, and a missing one is not created', async () => {
    await keeper().round();
    appendFileSync(file, 'few\n');
    await keeper().round();
    expect([readdirSync(place), text()]).toEqual([['acervo.log'], 'few\n']);
  });
  it('a large log is rotated, and open writers continue in it', async () => {
    const writers = [openSync(file, 'a'), openSync(file, 'a')] as const;
    writeSync(writers[0], `${'one '.repeat(30)}\n`);
    await keeper().round();
    for (const writer of writers) writeSync(writer, 'more\n');
    for (const writer of writers) closeSync(writer);
    expect([text('acervo.log.1'), text()]).toEqual([`${'one '.repeat(30)}\n`, 'more\nmore\n']);
  });
  it('lines written during a rotation are not lost', async () => {
    const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line}`);
    appendFileSync(file, `${'x'.repeat(3_000_000)}\n`);
    const round = keeper().round();
    for (const line of lines) {
      appendFileSync(file, `${line}\n`);
      if (line.endsWith('00')) await new Promise((resolve) => setImmediate(resolve));
    }
    await round;
    const retained = `${text('acervo.log.1')}${text()}`.split('\n').slice(1, -1);
    expect(retained).toEqual(lines);
  });
  it('rotation keeps the configured number of files, the latest first', async () => {
    for (const name of ['first', 'second', 'third', 'fourth']) {
      appendFileSync(file, `${name} `.repeat(30));
      await keeper().round();
    }
    expect(readdirSync(place).sort()).toEqual(['acervo.log', 'acervo.log.1', 'acervo.log.2']);
    expect([text('acervo.log.1').slice(0, 6), text('acervo.log.2').slice(0, 6)]).toEqual(['fourth', 'third ']);
  });
});
