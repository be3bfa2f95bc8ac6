import { Module } from '@nestjs/common';
import { AuthConfig } from '../auth-config';
import { Peppers } from './peppers';
import { PepperFigures } from './pepper-figures';

/** The server keys that secrets are hashed and sealed with. */
@Module({
  providers: [
    {
      provide: Peppers,
      inject: [AuthConfig],
      useFactory: ({ keyPepper, keyPepperCurrent }: AuthConfig) => new Peppers(keyPepper, keyPepperCurrent),
    },
    PepperFigures,
  ],
  exports: [Peppers],
})
export class PeppersModule {}
