import { Injectable } from '@nestjs/common';
import {
  type ChallengeFactor,
  challengeFactor,
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
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { AttemptLimiter } from '../attempts/attempt-limiter';
import { homeOf } from '../sessions/home';
import { SessionOpener } from '../sessions/session-opener';
import { FactorStore, type StoredFactor } from './factor.store';
import type { Recorded } from './proofs';
import { Totp } from './totp';
import { WebAuthn } from './webauthn';

const NAMES: Record<FactorType, string> = { totp: 'Aplicación de códigos', webauthn: 'Llave de acceso' };

/** Second factors: enrolled, challenged, verified, removed, each by its owner. */
@Injectable()
export class FactorsService {
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
    const made = kind === 'totp' ? await this.totp.setUp(scope.userCode) : undefined;
    const name = input.friendlyName ?? NAMES[kind];
    const factorId = await context.writeUnder(homeOf(scope), (tx) =>
      this.store.add(tx, scope.userId, { kind, name, secret: made?.sealed ?? null }),
    );
    if (factorId === undefined) throw new Conflict('There are too many factors; remove one first.');
    return { factorId, factorType: kind, friendlyName: name, totp: made?.setup ?? null };
  }

  @Handles(challengeFactor)
  async challenge(scope: Scope, input: ChallengeFactor, context: WriteContext): Promise<OpenedChallenge> {
    const { database, store } = this;
    const home = homeOf(scope);
    const factor = await database.read(home, (tx) => store.choose(tx, scope.userId, input.factorId ?? null));
    if (factor === undefined) throw new NotFound();
    const user = { code: scope.userCode, name: scope.userName };
    const { nonce, options } = await this.kindOf(factor).challenge(factor, user);
    const opened = await context.writeUnder(home, (tx) =>
      store.openChallenge(tx, factor.factorId, scope.credentialId, nonce),
    );
    return { ...opened, factorId: factor.factorId, factorType: factor.kind, options };
  }

  /** The attempt and the try of its challenge are counted before the comparison. */
  @Handles(verifyFactor)
  async verify(scope: Scope, input: VerifyFactor, context: WriteContext): Promise<OpenedSession> {
    const { attemptLimiter, store, opener } = this;
    const { groupId } = homeOf(scope);
    const { userId, credentialId: sessionId, userCode } = scope;
    const counted = await attemptLimiter.code({ groupId }, input.factorId);
    const recorded = await this.proved(scope, input);
    if (recorded === undefined) throw new FactorNotVerified();
    const refresh = await context.writeUnder({ groupId }, async (tx) => {
      if (!(await store.spend(tx, input.challengeId)) || !(await recorded(tx, store))) throw new FactorNotVerified();
      await opener.sessions.elevate(tx, sessionId);
      return opener.renewal(tx, { groupId, userId, sessionId });
    });
    await counted.succeeded();
    const tokens = await opener.tokens({ groupId, userId, sessionId, assurance: 2 }, refresh);
    return {
      ...tokens,
      mfaRequired: false,
      factorId: input.factorId,
      deviceToken: attemptLimiter.knownDevice(userCode),
    };
  }

  /** A pending factor proves nothing and can be dropped. Removing a verified one takes a session that has proved it. */
  @Handles(unenrollFactor)
  async unenroll(scope: Scope, { factorId }: FactorName, context: WriteContext): Promise<Confirmation> {
    const { database, store } = this;
    const factor = await database.read(homeOf(scope), (tx) => store.choose(tx, scope.userId, factorId));
    if (factor === undefined) throw new NotFound();
    if (factor.verified && scope.assurance < 2) throw new SecondFactorOwed();
    await context.writeUnder(homeOf(scope), (tx) => store.remove(tx, scope.userId, factorId));
    return { message: 'Factor eliminado.' };
  }

  private async proved(scope: Scope, { factorId, challengeId, ...proof }: VerifyFactor): Promise<Recorded | undefined> {
    const { database, store } = this;
    const found = await database.write(homeOf(scope), async (tx) => {
      const factor = await store.choose(tx, scope.userId, factorId);
      const challenge = factor && (await store.attempt(tx, challengeId, factorId, scope.credentialId));
      return challenge && factor && { factor, nonce: challenge.nonce };
    });
    return found && this.kindOf(found.factor).prove(found.factor, proof, found.nonce);
  }

  private kindOf({ kind }: StoredFactor): Totp | WebAuthn {
    return kind === 'totp' ? this.totp : this.webauthn;
  }
}
