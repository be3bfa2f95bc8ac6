import { Injectable } from '@nestjs/common';
import {
  challengeFactor,
  type ClientChallenge,
  type ClientVerification,
  Conflict,
  type EnrollFactor,
  enrollFactor,
  type EnrolledFactor,
  type FactorList,
  type FactorName,
  FactorNotVerified,
  type FactorType,
  listFactors,
  NotFound,
  type Empty,
  type OpenedChallenge,
  type OpenedSession,
  type Confirmation,
  SecondFactorOwed,
  unenrollFactor,
  type VerifyFactor,
  verifyFactor,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import type { KnownDevice } from '../attempts/devices';
import { homeOf } from '../kernel/home';
import { SessionOpener } from '../sessions/session-opener';
import { FactorStore, ownerOf, type StoredFactor } from './factor.store';
import type { Recorded } from './proofs';
import { Totp } from './totp';
import { WebAuthn } from './webauthn';

const NAMES: Record<FactorType, string> = { totp: 'Aplicación de códigos', webauthn: 'Llave de acceso' };

/** A proof of a factor that was compared and is not recorded yet. */
type Proved = Pick<StoredFactor, 'factorId' | 'verified'> &
  Pick<VerifyFactor, 'challengeId'> & { readonly recorded: Recorded };

/** Second factors: enrolled, challenged, verified, removed, each by its owner. */
@Injectable()
export class FactorsHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: FactorStore,
    private readonly totp: Totp,
    private readonly webauthn: WebAuthn,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly opener: SessionOpener,
  ) {}

  @Handles(listFactors)
  async list(scope: Scope, _input: Empty): Promise<FactorList> {
    const factors = await this.database.read(homeOf(scope), (tx) => this.store.list(tx, scope.userId));
    return { factors, total: factors.length };
  }

  @Handles(enrollFactor)
  async enroll(scope: Scope, input: EnrollFactor, context: WriteContext): Promise<EnrolledFactor> {
    const kind = input.factorType ?? 'totp';
    const made =
      kind === 'totp' ? await this.totp.setUp(ownerOf(homeOf(scope), scope.userId), scope.userCode) : undefined;
    const name = input.friendlyName ?? NAMES[kind];
    const factorId = await context.writeUnder(homeOf(scope), async (tx) => {
      await this.store.lock(tx, scope.userId);
      if (scope.assurance < 2 && (await this.store.hasVerified(tx, scope.userId))) throw new SecondFactorOwed();
      return this.store.add(tx, scope.userId, { kind, name, secret: made?.sealed ?? null });
    });
    if (factorId === undefined) throw new Conflict('There are too many factors; remove one first.');
    return { factorId, factorType: kind, friendlyName: name, totp: made?.setup ?? null };
  }

  @Handles(challengeFactor)
  async challenge(scope: Scope, input: ClientChallenge, context: WriteContext): Promise<OpenedChallenge> {
    const { store } = this;
    const home = homeOf(scope);
    const { factor, device } = await this.chosen(scope, input);
    if (factor === undefined) throw new NotFound();
    await this.attemptLimiter.challenge(home, scope.userId, scope.credentialId, device);
    const user = { code: scope.userCode, name: scope.userName };
    const { nonce, options } = await this.kindOf(factor).challenge(factor, user);
    const opened = await context.writeUnder(home, async (tx) => {
      const stored = await store.openChallenge(tx, factor.factorId, scope.credentialId, nonce);
      if (stored === undefined) throw new NotFound();
      return stored;
    });
    return { ...opened, factorId: factor.factorId, factorType: factor.kind, options };
  }

  /** The attempt and the try of its challenge are counted before the comparison. */
  @Handles(verifyFactor)
  async verify(scope: Scope, input: ClientVerification, context: WriteContext): Promise<OpenedSession> {
    const { attemptLimiter, opener } = this;
    const { groupId } = homeOf(scope);
    const { userId, credentialId: sessionId } = scope;
    const { factor, device } = await this.chosen(scope, input);
    if (factor === undefined) throw new FactorNotVerified();
    const counted = await attemptLimiter.code({ groupId }, factor.factorId, device);
    const recorded = await this.proved(scope, factor, input);
    if (recorded === undefined) throw new FactorNotVerified();
    const { refresh, passwordEpoch } = await context.writeUnder({ groupId }, async (tx) => {
      await this.record(tx, scope, { ...input, ...factor, recorded });
      await opener.sessions.elevate(tx, sessionId);
      const renewal = await opener.renewal(tx, { groupId, userId, sessionId });
      return { refresh: renewal, passwordEpoch: await this.store.passwordEpoch(tx, userId) };
    });
    await counted.succeeded();
    const tokens = await opener.tokens({ groupId, userId, sessionId, assurance: 2 }, refresh);
    return {
      ...tokens,
      mfaRequired: false,
      factorId: input.factorId,
      deviceToken: attemptLimiter.knownDevice({ userId, passwordEpoch, hasProvedFactor: true }),
    };
  }

  /** A pending factor proves nothing and can be dropped. Removing a verified one takes a session that has proved it. */
  @Handles(unenrollFactor)
  async unenroll(scope: Scope, { factorId }: FactorName, context: WriteContext): Promise<Confirmation> {
    const { store } = this;
    await context.writeUnder(homeOf(scope), async (tx) => {
      await store.lock(tx, scope.userId);
      const factor = await store.choose(tx, scope, factorId);
      if (factor === undefined) throw new NotFound();
      if (factor.verified && scope.assurance < 2) throw new SecondFactorOwed();
      await store.remove(tx, scope.userId, factorId);
    });
    return { message: 'Factor eliminado.' };
  }

  /** The factor that a request is about, and its device where that has proved a factor before. */
  private chosen(
    scope: Scope,
    { factorId, deviceToken }: ClientChallenge,
  ): Promise<{ readonly factor: StoredFactor | undefined; readonly device: KnownDevice | undefined }> {
    const { userId } = scope;
    return this.database.read(homeOf(scope), async (tx) => {
      const factor = await this.store.choose(tx, scope, factorId ?? null);
      const passwordEpoch = await this.store.passwordEpoch(tx, userId);
      return { factor, device: this.attemptLimiter.provenDevice({ userId, passwordEpoch }, deviceToken) };
    });
  }

  private async proved(
    scope: Scope,
    factor: StoredFactor,
    { challengeId, ...proof }: VerifyFactor,
  ): Promise<Recorded | undefined> {
    const challenge = await this.database.write(homeOf(scope), (tx) =>
      this.store.attempt(tx, challengeId, factor.factorId, scope.credentialId),
    );
    return challenge && this.kindOf(factor).prove(factor, proof, challenge.nonce);
  }

  /** The lock makes one factor the first: pending ones of concurrent sessions prove nothing after it. */
  private async record(
    tx: Transaction,
    scope: Scope,
    { factorId, verified, challengeId, recorded }: Proved,
  ): Promise<void> {
    const { store } = this;
    await store.lock(tx, scope.userId);
    const current = await store.choose(tx, scope, factorId);
    const accepted = current !== undefined && (await store.spend(tx, challengeId)) && (await recorded(tx, store));
    if (!accepted) throw new FactorNotVerified();
    if (!verified) await store.removePending(tx, scope.userId);
  }

  private kindOf({ kind }: StoredFactor): Totp | WebAuthn {
    return kind === 'totp' ? this.totp : this.webauthn;
  }
}
