import { Module } from '@nestjs/common';
import { Rates } from '@acervo/platform-counters';
import { Egress, EgressConfig } from '@acervo/platform-egress';

/** The only client for addresses that users give. */
@Module({
  providers: [
    {
      provide: Egress,
      inject: [EgressConfig, Rates],
      useFactory: (config: EgressConfig, rates: Rates): Egress => new Egress(config, rates),
    },
  ],
  exports: [Egress],
})
export class EgressModule {}
