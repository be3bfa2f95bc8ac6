// Programs that judge manifests and the published description. They come from the Go proxy into a cache outside the checkout.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'acervo', 'go');

/** Go packages by the name of their program. */
const PACKAGES = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  oasdiff: 'github.com/oasdiff/oasdiff@v1.37.0',
};

const folderOf = (name) => join(CACHE, PACKAGES[name].replace(/.*@/, ''));

/** The path of a program in the cache; undefined where it was never installed. */
export const cached = (name) => {
  const path = join(folderOf(name), name);
  return existsSync(path) ? path : undefined;
};

/** The path of a program, built by Go where it is missing. @throws where Go is missing or cannot build it */
export const installed = (name, print) => {
  const found = cached(name);
  if (found !== undefined) return found;
  print(`Building ${name}, once; this takes some minutes.`);
  mkdirSync(folderOf(name), { recursive: true });
  const { status, error } = spawnSync('go', ['install', PACKAGES[name]], {
    env: { ...process.env, GOBIN: folderOf(name) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0)
    throw new Error(`${name} cannot be built: ${error?.message ?? 'go install failed'}. Install Go 1.24 or later.`);
  return join(folderOf(name), name);
};
