import { Module } from '@nestjs/common';
import { AuthConfig } from '../auth-config';
import { Peppers } from './key-hash';

/** The server keys that secrets are hashed and sealed with. */
@Module({
  providers: [
    {
      provide: Peppers,
      inject: [AuthConfig],
      useFactory: ({ keyPepper, keyPepperCurrent }: AuthConfig) => new Peppers(keyPepper, keyPepperCurrent),
    },
  ],
  exports: [Peppers],
})
export class PeppersModule {}
