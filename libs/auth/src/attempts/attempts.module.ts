import { Module } from '@nestjs/common';
import { PeppersModule } from '../keys/peppers.module';
import { Devices } from './devices';
import { AttemptLimiter } from './attempt-limiter';

/** Limits of attempts to sign in. */
@Module({ imports: [PeppersModule], providers: [Devices, AttemptLimiter], exports: [AttemptLimiter] })
export class AttemptsModule {}
