import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '@acervo/platform-observability';
import { SIGNING_KEY_AGE } from '../auth.metrics';
import { SigningKeys } from './signing-keys';

/** Publishes how long the current signing key has signed, from the memory of this process. */
@Injectable()
export class KeyFigures implements OnModuleInit {
  constructor(
    private readonly keys: SigningKeys,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(SIGNING_KEY_AGE, (gauge) => {
      const { signingSince } = this.keys;
      if (signingSince === undefined) gauge.remove();
      else gauge.set((Date.now() - signingSince) / 1_000);
    });
  }
}
