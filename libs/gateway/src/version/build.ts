import { Injectable } from '@nestjs/common';
import type { RunningVersion } from '@acervo/contracts';
import { BuildConfig, buildOf } from '@acervo/platform-config';

/** The build that runs, as `/version` presents it. */
@Injectable()
export class Build {
  readonly running: RunningVersion;

  constructor(config: BuildConfig) {
    const { version, commit, builtAt } = buildOf(config);
    this.running = { version, commit, commitShort: commit?.slice(0, 7) ?? null, builtAt };
  }
}
