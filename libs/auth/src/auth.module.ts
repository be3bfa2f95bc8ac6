import { Module } from '@nestjs/common';
import { AuthenticationModule } from '@acervo/platform-service';
import { EntitiesModule } from './entities/entities.module';
import { ExportsModule } from './exports/exports.module';
import { FactorsModule } from './factors/factors.module';
import { FocusModule } from './focus/focus.module';
import { FunctionsModule } from './functions/functions.module';
import { KeysModule } from './keys/keys.module';
import { OrganisationModule } from './organisation/organisation.module';
import { ParametersModule } from './parameters/parameters.module';
import { PasswordsModule } from './passwords/passwords.module';
import { ProvisioningModule } from './provisioning/provisioning.module';
import { RecoveryModule } from './recovery/recovery.module';
import { RegistrationModule } from './registration/registration.module';
import { RolesModule } from './roles/roles.module';
import { SessionsModule } from './sessions/sessions.module';
import { TokensModule } from './tokens/tokens.module';
import { UpkeepModule } from './upkeep/upkeep.module';
import { UsersModule } from './users/users.module';
import { VerificationModule } from './verification/verification.module';

/** Users with their credentials and their permissions. */
@Module({
  imports: [
    AuthenticationModule,
    VerificationModule,
    TokensModule,
    SessionsModule,
    FactorsModule,
    KeysModule,
    PasswordsModule,
    RegistrationModule,
    RecoveryModule,
    ProvisioningModule,
    FocusModule,
    UsersModule,
    RolesModule,
    FunctionsModule,
    EntitiesModule,
    OrganisationModule,
    ParametersModule,
    ExportsModule,
    UpkeepModule,
  ],
})
export class AuthModule {}
