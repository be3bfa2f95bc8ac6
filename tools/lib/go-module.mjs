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

/** Builds `path` of a module into a file. @throws with what Go printed */
export const buildInModule = ({ module, version, path }, output) => {
  const folder = mkdtempSync(join(tmpdir(), 'acervo-go-'));
  try {
    const { GoMod } = JSON.parse(go(folder, ['mod', 'download', '-json', `${module}@${version}`]));
    const manifest = readFileSync(GoMod, 'utf8');
    go(folder, ['mod', 'init', 'acervo/tools']);
    go(folder, ['mod', 'edit', `-go=${/^go (\S+)/m.exec(manifest)[1]}`, `-require=${module}@${version}`]);
    go(folder, ['build', '-trimpath', '-ldflags=-s -w', '-o', output, path], { GOFLAGS: '-mod=mod -buildvcs=false' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
