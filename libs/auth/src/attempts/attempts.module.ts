import { Module } from '@nestjs/common';
import { PeppersModule } from '../keys/peppers.module';
import { Devices } from './devices';
import { AttemptLimiter } from './attempt-limiter';
import { SignInLog } from './sign-in-log';

/** Limits of attempts to sign in. */
@Module({
  imports: [PeppersModule],
  providers: [Devices, AttemptLimiter, SignInLog],
  exports: [AttemptLimiter, SignInLog],
})
export class AttemptsModule {}
