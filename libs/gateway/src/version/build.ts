import type { RunningVersion } from '@acervo/contracts';

/** What the build put into this program. */
export class Build {
  readonly running: RunningVersion;

  constructor(version: string, commit: string | null, builtAt: string | null) {
    this.running = { version, commit, commitShort: commit?.slice(0, 7) ?? null, builtAt };
  }
}
