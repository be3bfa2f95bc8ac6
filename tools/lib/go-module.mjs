// Builds Go programs that `go install` refuses, because their modules replace or exclude others.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KUBERNETES = 'k8s.io/kubernetes';

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

/** Kubernetes requires its own parts at v0.0.0 and replaces them by folders: here by the releases of these folders. */
const replacesOf = (manifest, version) => {
  const parts = new Set(
    [...manifest.matchAll(/^\s*(k8s\.io\/[\w-]+) (?:v0\.0\.0(?:\s|$)|=> \.\/staging)/gm)].map(([, name]) => name),
  );
  return [...parts].map((name) => `-replace=${name}=${name}@v0.${version.replace(/^v\d+\./, '')}`);
};

const versionFlags = (version) => {
  const [major, minor] = version.slice(1).split('.');
  const of = 'k8s.io/component-base/version';
  return ` -X ${of}.gitVersion=${version} -X ${of}.gitMajor=${major} -X ${of}.gitMinor=${minor}`;
};

/** Builds `path` of a module into a file. @throws with what Go printed */
export const buildInModule = ({ module, version, path, tags = '' }, output) => {
  const folder = mkdtempSync(join(tmpdir(), 'acervo-go-'));
  try {
    const { GoMod } = JSON.parse(go(folder, ['mod', 'download', '-json', `${module}@${version}`]));
    const manifest = readFileSync(GoMod, 'utf8');
    const isKubernetes = module === KUBERNETES;
    go(folder, ['mod', 'init', 'acervo/tools']);
    go(folder, [
      'mod',
      'edit',
      `-go=${/^go (\S+)/m.exec(manifest)[1]}`,
      `-require=${module}@${version}`,
      ...(isKubernetes ? replacesOf(manifest, version) : []),
    ]);
    const flags = `-s -w${isKubernetes ? versionFlags(version) : ''}`;
    const args = ['build', '-trimpath', `-tags=${tags}`, `-ldflags=${flags}`, '-o', output, path];
    go(folder, args, { GOFLAGS: '-mod=mod -buildvcs=false' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
