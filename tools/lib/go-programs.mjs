// Programs that judge manifests, rules and the published description. They come from the Go proxy into a cache outside the checkout.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildInModule } from './go-module.mjs';

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'acervo', 'go');

const [MAJOR, MINOR, PATCH] = [1, 37, 2];
const VERSION_PACKAGE = 'k8s.io/component-base/version';
/** Kubernetes says the version that the linker writes into it. */
const KUBERNETES = {
  module: 'k8s.io/kubernetes',
  version: `v${MAJOR}.${MINOR}.${PATCH}`,
  beside: `v0.${MINOR}.${PATCH}`,
  variables: {
    [`${VERSION_PACKAGE}.gitVersion`]: `v${MAJOR}.${MINOR}.${PATCH}`,
    [`${VERSION_PACKAGE}.gitMajor`]: MAJOR,
    [`${VERSION_PACKAGE}.gitMinor`]: MINOR,
  },
};
const PROMETHEUS = { module: 'github.com/prometheus/prometheus', version: 'v0.316.0' };

/** Go packages by the name of their program; those with a module cannot be installed by `go install`. */
const PACKAGES = {
  helm: { version: 'v3.22.0', path: 'helm.sh/helm/v3/cmd/helm' },
  oasdiff: { version: 'v1.37.0', path: 'github.com/oasdiff/oasdiff' },
  kubeconform: { version: 'v0.8.0', path: 'github.com/yannh/kubeconform/cmd/kubeconform' },
  promtool: { ...PROMETHEUS, path: 'github.com/prometheus/prometheus/cmd/promtool' },
  'helm-unittest': {
    module: 'github.com/helm-unittest/helm-unittest',
    version: 'v1.1.2',
    path: 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
  },
  'kube-apiserver': { ...KUBERNETES, path: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  etcd: { module: 'go.etcd.io/etcd/server/v3', version: 'v3.6.16', path: 'go.etcd.io/etcd/server/v3' },
  prometheus: { ...PROMETHEUS, path: 'github.com/prometheus/prometheus/cmd/prometheus' },
};

const folderOf = (name) => join(CACHE, PACKAGES[name].version);

/** The path of a program in the cache; undefined where it was never installed. */
export const cached = (name) => {
  const path = join(folderOf(name), name);
  return existsSync(path) ? path : undefined;
};

const goInstall = ({ path, version }, folder) => {
  const { status, error } = spawnSync('go', ['install', `${path}@${version}`], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(error?.message ?? 'go install failed');
};

const build = (name) => {
  const program = PACKAGES[name];
  if (program.module === undefined) return goInstall(program, folderOf(name));
  const unfinished = join(folderOf(name), `${name}.${process.pid}`);
  buildInModule(program, unfinished);
  renameSync(unfinished, join(folderOf(name), name));
};

/** The path of a program, built by Go where it is missing. @throws where Go is missing or cannot build it */
export const installed = (name, print) => {
  const found = cached(name);
  if (found !== undefined) return found;
  print(`Building ${name}, once; this takes some minutes.`);
  mkdirSync(folderOf(name), { recursive: true });
  try {
    build(name);
  } catch (error) {
    throw new Error(`${name} cannot be built: ${error.message}. Install Go 1.26 or later.`, { cause: error });
  }
  return join(folderOf(name), name);
};
