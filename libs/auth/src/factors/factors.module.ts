import { Module } from '@nestjs/common';
import { BaseConfig } from '@acervo/platform-config';
import { AttemptsModule } from '../attempts/attempts.module';
import { Peppers } from '../secrets/peppers';
import { SecretsModule } from '../secrets/secrets.module';
import { SessionsModule } from '../sessions/sessions.module';
import { Seal } from '../secrets/seal';
import { FactorStore } from './factor.store';
import { FactorsController } from './factors.controller';
import { FactorsHandlers } from './factors.handlers';
import { Totp } from './totp';
import { type RelyingParty, WebAuthn } from './webauthn';

/** Keys of browsers are bound to the host of the public address. */
const relyingParty = ({ publicUrl }: BaseConfig): RelyingParty => {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origins: [origin] };
};

/** Second factors of people. */
@Module({
  imports: [SecretsModule, AttemptsModule, SessionsModule],
  controllers: [FactorsController],
  providers: [
    FactorsHandlers,
    FactorStore,
    { provide: Totp, inject: [Peppers], useFactory: (peppers: Peppers) => new Totp(new Seal(peppers, 'totp')) },
    {
      provide: WebAuthn,
      inject: [BaseConfig],
      useFactory: (config: BaseConfig) => new WebAuthn(relyingParty(config)),
    },
  ],
})
export class FactorsModule {}
