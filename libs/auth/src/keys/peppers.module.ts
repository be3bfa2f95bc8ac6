import { Module } from '@nestjs/common';
import { AuthConfig } from '../auth-config';
import { Peppers } from './key-hash';

/** The server keys that secrets are hashed and sealed with. */
@Module({
  providers: [
    { provide: Peppers, inject: [AuthConfig], useFactory: ({ keyPepper }: AuthConfig) => new Peppers(keyPepper) },
  ],
  exports: [Peppers],
})
export class PeppersModule {}
