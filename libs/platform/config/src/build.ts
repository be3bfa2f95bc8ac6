import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RELEASE, ROOT } from './release';
import { Setting } from './settings';

/** What the build of an image passes on; a program that runs from a checkout finds its commit itself. */
export class BuildConfig {
  @Setting({ env: 'ACERVO_VERSION', default: RELEASE, description: 'Version of the program, as `/version` returns it' })
  readonly version!: string;
  @Setting({
    env: 'ACERVO_COMMIT',
    default: null,
    description: 'Commit that the program was built from; images contain it, a checkout has its own',
  })
  readonly commit!: string | null;
  @Setting({
    env: 'ACERVO_BUILT_AT',
    default: null,
    description: 'When the program was built, ISO 8601 in UTC; images contain it',
  })
  readonly builtAt!: string | null;
}

const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

const textOf = (...path: string[]): string | undefined => {
  const file = join(...path);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
};

/** The directory with the HEAD of a checkout, which a worktree names in a file. */
const gitDirectoryOf = (root: string): string | undefined => {
  const place = join(root, '.git');
  if (!existsSync(place)) return undefined;
  if (statSync(place).isDirectory()) return place;
  const linked = /^gitdir: (.+)$/.exec(textOf(place) ?? '')?.[1];
  return linked === undefined ? undefined : resolve(root, linked);
};

const resolved = (directory: string, ref: string): string | undefined => {
  // Branches of a worktree lie in the directory of its repository.
  const common = resolve(directory, textOf(directory, 'commondir') ?? '.');
  const packed = textOf(common, 'packed-refs') ?? '';
  return textOf(directory, ref) ?? textOf(common, ref) ?? packed.split('\n').find((line) => line.endsWith(` ${ref}`));
};

/** The commit that a checkout stands on; null where there is none, or its files have another form. */
export const commitOf = (root: string): string | null => {
  try {
    const directory = gitDirectoryOf(root);
    if (directory === undefined) return null;
    const head = textOf(directory, 'HEAD') ?? '';
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    const [commit = ''] = (ref === undefined ? head : (resolved(directory, ref) ?? '')).split(' ', 1);
    return COMMIT.test(commit) ? commit : null;
  } catch {
    return null;
  }
};

/** The build that runs. */
export interface Build {
  readonly version: string;
  /** Null where neither an image nor a checkout knows it. */
  readonly commit: string | null;
  readonly builtAt: string | null;
}

export const buildOf = ({ version, commit, builtAt }: BuildConfig): Build => ({
  version,
  commit: commit ?? commitOf(ROOT),
  builtAt,
});
