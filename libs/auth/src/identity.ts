import type { Type } from '@nestjs/common';
import { Database, DIRECTORY_ROLE } from '@acervo/platform-database';
import type { Authenticator } from '@acervo/platform-http';
import { FileMailer, Post, SmtpMailer } from '@acervo/platform-mail';
import { connectionOf, type ServiceKit } from '@acervo/platform-service';
import type { AuthConfig } from './auth-config';
import { FactorStore } from './factors/factor.store';
import { FactorsController } from './factors/factors.controller';
import { FactorsService } from './factors/factors.service';
import { Totp } from './factors/totp';
import { type RelyingParty, WebAuthn } from './factors/webauthn';
import { FocusReader } from './focus/focus-reader';
import { FocusService } from './focus/focus.service';
import { FocusStore } from './focus/focus.store';
import { Devices } from './guesses/devices';
import { Guesses } from './guesses/guesses';
import { ApiKeysController } from './keys/api-keys.controller';
import { ApiKeysService } from './keys/api-keys.service';
import { ApiKeyStore } from './keys/api-key.store';
import { Peppers } from './keys/key-hash';
import { KeyStore } from './keys/key.store';
import { AccountStore } from './passwords/account.store';
import { ActionTokenStore } from './passwords/action-token.store';
import { HashedFirstPasswords, MailedInvitations } from './passwords/first-passwords';
import { PasswordHasher } from './passwords/password-hasher';
import { PasswordsController } from './passwords/passwords.controller';
import { PasswordsService } from './passwords/passwords.service';
import { setPasswordPage } from './passwords/set-password-page';
import { ProvisioningStore } from './provisioning/provisioning.store';
import { RecoveryService } from './recovery/recovery.service';
import { RegistrationController } from './registration/registration.controller';
import { RegistrationService } from './registration/registration.service';
import { RegistrationStore } from './registration/registration.store';
import { ContextService } from './sessions/context.service';
import { ContextStore } from './sessions/context.store';
import { SessionReader } from './sessions/session-authenticator';
import { SessionOpener } from './sessions/session-opener';
import { SessionsController } from './sessions/sessions.controller';
import { SessionsService } from './sessions/sessions.service';
import { SessionStore } from './sessions/session.store';
import { AccessTokens } from './tokens/access-tokens';
import { JwksController } from './tokens/jwks.controller';
import { Seal } from './tokens/seal';
import { SigningKeys } from './tokens/signing-keys';
import { Upkeep } from './tokens/upkeep';
import { CredentialStore } from './verification/credential.store';
import { Holders } from './verification/holders';
import { SessionVerifier } from './verification/session-verifier';
import { VerificationService } from './verification/verification.service';

/** What the routes of authentication are made of, for the service's composition and for whoever shares its parts. */
export interface Identity {
  readonly peppers: Peppers;
  readonly directory: Database;
  readonly accounts: AccountStore;
  readonly hasher: PasswordHasher;
  readonly sessions: SessionStore;
  readonly invitations: MailedInvitations;
  readonly passwords: HashedFirstPasswords;
  /** Letters under way. */
  readonly post: Post;
  readonly providers: readonly object[];
  readonly controllers: readonly Type[];
  readonly authenticator: Authenticator;
  close(): Promise<void>;
}

const mailerOf = ({ config, logger }: ServiceKit<AuthConfig>): FileMailer | SmtpMailer =>
  config.smtpUrl === null
    ? new FileMailer(config.mailDirectory, logger)
    : new SmtpMailer(config.smtpUrl, config.mailFrom);

/** Keys of browsers are bound to the host of the public address. */
const relyingParty = ({ publicUrl }: AuthConfig): RelyingParty => {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origins: [origin] };
};

/** What the services below share: keys, counts, tables of people and of what they sign in with. */
const openShared = (kit: ServiceKit<AuthConfig>) => {
  const { config, engines } = kit;
  const { database, counters } = engines;
  const peppers = new Peppers(config.keyPepper);
  const directory = new Database({ ...connectionOf(config, DIRECTORY_ROLE, config.directoryPassword), max: 2 });
  const keys = new SigningKeys(database, new Seal(peppers, 'signing-key'));
  const tokens = new AccessTokens(keys, config.tokenIssuer);
  const sessions = new SessionStore();
  const credentials = new CredentialStore();
  const focusStore = new FocusStore();
  return {
    ...{ database, counters, peppers, directory, keys, tokens, sessions, credentials, focusStore },
    publicUrl: config.publicUrl,
    guesses: new Guesses(counters, new Devices(peppers)),
    opener: new SessionOpener(sessions, tokens, peppers),
    accounts: new AccountStore(database, directory),
    hasher: new PasswordHasher(),
    focuses: new FocusReader(database, focusStore),
    holders: new Holders(database, sessions, credentials),
    actions: new ActionTokenStore(peppers),
    registrations: new RegistrationStore(database, peppers),
    post: new Post(mailerOf(kit), kit.logger),
  };
};
type Shared = ReturnType<typeof openShared>;

/** What turns credentials into scopes, and moves their focus. */
const verifying = (kit: ServiceKit<AuthConfig>, shared: Shared): readonly object[] => {
  const { database, credentials, peppers, tokens, focuses, holders, sessions, focusStore, directory } = shared;
  const focus = new FocusService({ database, holders, reader: focuses, store: focusStore });
  return [
    new VerificationService({
      ...{ database, credentials, peppers, tokens, focuses },
      mint: kit.scopeMint,
      verifier: kit.scopeVerifier,
      sessions: new SessionVerifier(database, sessions, holders, focuses),
    }),
    focus,
    new ContextService(database, new ContextStore(directory), focus),
  ];
};

/** What people sign in with: passwords, second factors, keys. */
const signingIn = (config: AuthConfig, shared: Shared): readonly object[] => {
  const { database, accounts, hasher, guesses, opener, peppers } = shared;
  return [
    new SessionsService({ database, accounts, hasher, guesses, opener, peppers }),
    new FactorsService({
      ...{ database, guesses, opener },
      store: new FactorStore(),
      totp: new Totp(new Seal(peppers, 'totp')),
      webauthn: new WebAuthn(relyingParty(config)),
    }),
    new ApiKeysService(database, new ApiKeyStore(), new KeyStore(peppers)),
  ];
};

/** How people come to an account, and back into theirs: by letters with links. */
const lettingIn = (calls: ServiceKit['calls'], shared: Shared): readonly object[] => {
  const { database, accounts, actions, hasher, registrations, sessions, guesses, post, publicUrl } = shared;
  return [
    new PasswordsService({
      ...{ database, accounts, actions, hasher, registrations, sessions, publicUrl },
      provisioning: new ProvisioningStore(),
    }),
    setPasswordPage(),
    registrations,
    new RegistrationService({ registrations, accounts, guesses, post, publicUrl }),
    new RecoveryService({ calls, accounts, registrations, guesses, post, publicUrl }),
  ];
};

const controllers: readonly Type[] = [
  ...[SessionsController, FactorsController, ApiKeysController, PasswordsController],
  ...[RegistrationController, JwksController],
];

export const openIdentity = (kit: ServiceKit<AuthConfig>): Identity => {
  const { config, calls, logger } = kit;
  const shared = openShared(kit);
  const { peppers, directory, accounts, hasher, sessions, guesses, keys, counters, post, actions, publicUrl } = shared;
  const authenticator = new SessionReader(calls);
  const upkeep = new Upkeep(keys, counters, config.signingKeyDays, logger);
  return {
    ...{ peppers, directory, accounts, hasher, sessions, authenticator, post, controllers },
    invitations: new MailedInvitations(actions, post, publicUrl),
    passwords: new HashedFirstPasswords(hasher, accounts),
    providers: [
      ...[keys, authenticator, guesses],
      ...verifying(kit, shared),
      ...signingIn(config, shared),
      ...lettingIn(calls, shared),
    ],
    close: async () => {
      upkeep.stop();
      await post.close();
      await directory.close();
    },
  };
};
