import { Module } from '@nestjs/common';
import { PeppersModule } from '../keys/peppers.module';
import { RegistrationStore } from './registration.store';

/** Registrations that wait for their confirmation. */
@Module({ imports: [PeppersModule], providers: [RegistrationStore], exports: [RegistrationStore] })
export class RegistrationStoreModule {}
