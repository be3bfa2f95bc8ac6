import { Injectable } from '@nestjs/common';
import type { RunningVersion } from '@acervo/contracts';
import { GatewayConfig } from '../gateway.config';

/** Values that the build put into this program. */
@Injectable()
export class Build {
  readonly running: RunningVersion;

  constructor({ version, commit, builtAt }: GatewayConfig) {
    this.running = { version, commit, commitShort: commit?.slice(0, 7) ?? null, builtAt };
  }
}
