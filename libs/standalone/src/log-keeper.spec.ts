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
  const keeper = (): LogKeeper => new LogKeeper({ file, logger: silent, largest: 100, kept: 2 });
  const text = (name = 'acervo.log'): string => readFileSync(join(place, name), 'utf8');

  it('stays as it is while it is small, and where there is none', async () => {
    await keeper().round();
    appendFileSync(file, 'few\n');
    await keeper().round();
    expect([readdirSync(place), text()]).toEqual([['acervo.log'], 'few\n']);
  });
  it('is laid aside when it is large, and whoever has it open goes on in the same file', async () => {
    const writers = [openSync(file, 'a'), openSync(file, 'a')] as const;
    writeSync(writers[0], `${'one '.repeat(30)}\n`);
    await keeper().round();
    for (const writer of writers) writeSync(writer, 'more\n');
    for (const writer of writers) closeSync(writer);
    expect([text('acervo.log.1'), text()]).toEqual([`${'one '.repeat(30)}\n`, 'more\nmore\n']);
  });
  it('loses nothing that is written while it is laid aside', async () => {
    const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line}`);
    appendFileSync(file, `${'x'.repeat(3_000_000)}\n`);
    const round = keeper().round();
    for (const line of lines) {
      appendFileSync(file, `${line}\n`);
      if (line.endsWith('00')) await new Promise((resolve) => setImmediate(resolve));
    }
    await round;
    const kept = `${text('acervo.log.1')}${text()}`.split('\n').slice(1, -1);
    expect(kept).toEqual(lines);
  });
  it('is kept as often as is said, the latest as the first, and no more', async () => {
    for (const name of ['first', 'second', 'third', 'fourth']) {
      appendFileSync(file, `${name} `.repeat(30));
      await keeper().round();
    }
    expect(readdirSync(place).sort()).toEqual(['acervo.log', 'acervo.log.1', 'acervo.log.2']);
    expect([text('acervo.log.1').slice(0, 6), text('acervo.log.2').slice(0, 6)]).toEqual(['fourth', 'third ']);
  });
});
