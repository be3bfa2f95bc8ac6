import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module';
import { Devices } from './devices';
import { AttemptLimiter } from './attempt-limiter';
import { SecurityLog } from './security-log';

/** Limits of attempts to sign in. */
@Module({
  imports: [SecretsModule],
  providers: [Devices, AttemptLimiter, SecurityLog],
  exports: [AttemptLimiter, SecurityLog],
})
export class AttemptsModule {}
