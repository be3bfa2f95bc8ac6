import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { Page } from '@acervo/platform-http';
import { AttemptsModule } from '../attempts/attempts.module';
import { SecretsModule } from '../secrets/secrets.module';
import { MailsModule } from '../mails/mails.module';
import { ProvisioningModule } from '../provisioning/provisioning.module';
import { FirstPasswords, Invitations } from './invitations';
import { AccountsModule } from '../accounts/accounts.module';
import { ActionTokenStore } from './action-token.store';
import { EarlierAccessStore } from './earlier-access.store';
import { HashedFirstPasswords, MailedInvitations } from './first-passwords';
import { PasswordLinksHandlers } from './password-links.handlers';
import { PasswordsController } from './passwords.controller';
import { PasswordsHandlers } from './passwords.handlers';
import { setPasswordPage } from './set-password-page';

/** Passwords, which their owners set with links that work once. */
@Module({
  imports: [SecretsModule, AccountsModule, CredentialsModule, AttemptsModule, MailsModule, ProvisioningModule],
  controllers: [PasswordsController],
  providers: [
    PasswordsHandlers,
    PasswordLinksHandlers,
    ActionTokenStore,
    EarlierAccessStore,
    { provide: Page, useFactory: setPasswordPage },
    { provide: FirstPasswords, useClass: HashedFirstPasswords },
    { provide: Invitations, useClass: MailedInvitations },
  ],
  exports: [FirstPasswords, Invitations],
})
export class PasswordsModule {}
