// Builds Go programs that `go install` refuses, because their modules replace or exclude others.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @throws with what Go printed */
const go = (cwd, args, env = {}) => {
  const { status, stdout, stderr, error } = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CGO_ENABLED: '0', ...env },
    maxBuffer: 64 * 1_048_576,
  });
  if (status !== 0)
    throw new Error(`go ${args[0]}: ${error?.message ?? stderr.trim().split('\n').slice(-5).join('\n')}`);
  return stdout;
};

/** Where Go keeps a module (`Dir`) and its manifest (`GoMod`), downloaded once. @throws where the proxy lacks it */
export const downloadedModule = (name) => JSON.parse(go(tmpdir(), ['mod', 'download', '-json', name]));

/**
 * What a module replaces: others by their published versions, and modules of its own repository, which no proxy has at
 * the version that it requires, by `beside`.
 */
const replacements = (folder, manifest, beside) =>
  (JSON.parse(go(folder, ['mod', 'edit', '-json', manifest])).Replace ?? []).flatMap(({ Old: old, New: by }) => {
    const version = by.Version ?? beside;
    const name = by.Version === undefined ? old.Path : by.Path;
    return version === undefined ? [] : [`-replace=${old.Path}=${name}@${version}`];
  });

/**
 * Builds `path` of a module into a file. `beside` is the version at which modules of the same repository are published.
 * @throws with what Go printed
 */
export const buildInModule = ({ module, version, path, beside, variables = {} }, output) => {
  const folder = mkdtempSync(join(tmpdir(), 'acervo-go-'));
  try {
    const { GoMod } = downloadedModule(`${module}@${version}`);
    const language = /^go (\S+)/m.exec(readFileSync(GoMod, 'utf8'))[1];
    go(folder, ['mod', 'init', 'acervo/tools']);
    const replaced = replacements(folder, GoMod, beside);
    go(folder, ['mod', 'edit', `-go=${language}`, `-require=${module}@${version}`, ...replaced]);
    const linked = Object.entries(variables).map(([name, value]) => ` -X ${name}=${value}`);
    const flags = `-ldflags=-s -w${linked.join('')}`;
    go(folder, ['build', '-trimpath', flags, '-o', output, path], { GOFLAGS: '-mod=mod -buildvcs=false' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
