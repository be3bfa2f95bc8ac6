import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Packages of Nest that a process loads with a package, as it is built. */
const nestPackages = (name: string): string[] => {
  const script = `require(${JSON.stringify(name)});
    console.log(JSON.stringify(Object.keys(require.cache).flatMap((path) => /@nestjs.\\w+/.exec(path) ?? [])));`;
  const printed = execFileSync(process.execPath, ['--eval', script], { cwd: join(__dirname, '..'), encoding: 'utf8' });
  return JSON.parse(printed) as string[];
};

describe('the entries of the library', () => {
  it('the entry that CPU threads import loads no Nest', () => {
    expect(nestPackages('@acervo/models')).toEqual([]);
    expect(nestPackages('@nestjs/common')).toContain(join('@nestjs', 'common'));
  });
});
