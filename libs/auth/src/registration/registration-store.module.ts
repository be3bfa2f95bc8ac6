import { Module } from '@nestjs/common';
import { PeppersModule } from '../secrets/secrets.module';
import { RegistrationStore } from '../accounts/registration.store';

/** Registrations that wait for their confirmation. */
@Module({ imports: [PeppersModule], providers: [RegistrationStore], exports: [RegistrationStore] })
export class RegistrationStoreModule {}
