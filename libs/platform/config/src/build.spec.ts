import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildConfig, buildOf, commitOf, readConfig, RELEASE } from './index';

const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@example.test', '-c', 'commit.gpgsign=false'];

describe('the build that runs', () => {
  let place: string;
  const git = (...args: string[]): string =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: place, encoding: 'utf8', stdio: 'pipe' }).trim();
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'acervo-build-'));
  });
  afterEach(() => rmSync(place, { recursive: true }));

  it('the release is the version of the root package', () => {
    expect(RELEASE).toMatch(/^\d+\.\d+\.\d+/);
    expect(readConfig(BuildConfig, {}).version).toBe(RELEASE);
  });
  it('the variables of an image precede the checkout', () => {
    const image = { ACERVO_COMMIT: 'a'.repeat(40), ACERVO_BUILT_AT: '2026-11-23T10:00:00Z' };
    expect(buildOf(readConfig(BuildConfig, image))).toEqual({
      version: RELEASE,
      commit: 'a'.repeat(40),
      builtAt: '2026-11-23T10:00:00Z',
    });
  });
  it('a checkout knows its commit on a branch, packed, detached and in a worktree', () => {
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '-m', 'one');
    const commit = git('rev-parse', 'HEAD');
    expect(commitOf(place)).toBe(commit);
    git('pack-refs', '--all');
    expect(commitOf(place)).toBe(commit);
    git('worktree', 'add', '--quiet', '-b', 'other', 'beside');
    expect(commitOf(join(place, 'beside'))).toBe(commit);
    git('checkout', '--quiet', '--detach');
    expect(commitOf(place)).toBe(commit);
  });
  it('a folder that is no checkout has no commit', () => {
    expect(commitOf(place)).toBeNull();
    writeFileSync(join(place, '.git'), 'nonsense');
    expect(commitOf(place)).toBeNull();
  });
});
