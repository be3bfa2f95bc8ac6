import { call } from '../calls';
import { Empty } from '../empty';
import { Choice, Int, ListOf, Moment, Nested, OpenObject, Text, Uuid } from '../fields';
import { OpenedSession, Confirmation, SessionTokens } from './login';

export const factorTypes = ['totp', 'webauthn'] as const;
export type FactorType = (typeof factorTypes)[number];

const ownedByAuth = { owner: 'auth', callers: ['auth'], scope: 'user' } as const;

export class EnrollFactor {
  @Choice(factorTypes, { optional: true, description: 'Kind of factor; totp where it is not said' })
  readonly factorType?: FactorType;
  @Text({ min: 1, max: 80, optional: true, description: 'Name that its owner knows it by' })
  readonly friendlyName?: string;
}

/** The secret for an authenticator app. Shown only once. */
export class TotpSetup {
  @Text({ max: 40_000, description: 'QR code as an SVG data URI' }) readonly qrCode!: string;
  @Text({ max: 200, description: 'Secret in base 32, to be typed' }) readonly secret!: string;
  @Text({ max: 1000, description: 'The same as an otpauth URI' }) readonly uri!: string;
}

export class EnrolledFactor {
  @Uuid({ description: 'The factor, pending until it is verified' }) readonly factorId!: string;
  @Choice(factorTypes, { wire: 'type', description: 'Kind of factor' }) readonly factorType!: FactorType;
  @Text({ max: 80, description: 'Name that its owner knows it by' }) readonly friendlyName!: string;
  @Nested(() => TotpSetup, { nullable: true, description: 'How an app is set up; null for other kinds' })
  readonly totp!: TotpSetup | null;
}

export const enrollFactor = call({
  ...ownedByAuth,
  code: 'factors.enroll',
  effect: 'write',
  input: EnrollFactor,
  output: EnrolledFactor,
});

export class ChallengeFactor {
  @Uuid({
    names: 'factor',
    optional: true,
    description: 'Factor; where it is not said the verified one, else the pending one',
  })
  readonly factorId?: string;
}

/** Gateways of the last release send none. */
const deviceToken = {
  ...{ max: 512, nullable: true, optional: true },
  description: 'Token of a device that has logged in before',
};

export class ClientChallenge extends ChallengeFactor {
  @Text(deviceToken) readonly deviceToken?: string | null;
}

export class OpenedChallenge {
  @Uuid({ description: 'The challenge: for one success, three tries and five minutes' })
  readonly challengeId!: string;
  @Uuid({ description: 'Its factor' }) readonly factorId!: string;
  @Choice(factorTypes, { wire: 'type', description: 'Kind of factor' }) readonly factorType!: FactorType;
  @Moment({ description: 'When it ends' }) readonly expiresAt!: string;
  @OpenObject({ nullable: true, description: 'Options of WebAuthn for the browser; null for other kinds' })
  readonly options!: object | null;
}

export const challengeFactor = call({
  ...ownedByAuth,
  code: 'factors.challenge',
  effect: 'write',
  input: ClientChallenge,
  output: OpenedChallenge,
});

export class VerifyFactor {
  @Uuid({ names: 'factor', description: 'The factor' }) readonly factorId!: string;
  @Uuid({ names: 'challenge', description: 'The challenge' }) readonly challengeId!: string;
  @Text({ min: 1, max: 12, optional: true, description: 'Code of an authenticator app' }) readonly code?: string;
  @OpenObject({ optional: true, description: 'Answer of the browser to the options of WebAuthn' })
  readonly credential?: object;
}

export class ClientVerification extends VerifyFactor {
  @Text(deviceToken) readonly deviceToken?: string | null;
}

export const verifyFactor = call({
  ...ownedByAuth,
  code: 'factors.verify',
  effect: 'write',
  input: ClientVerification,
  output: OpenedSession,
});

export class ElevatedSession extends SessionTokens {}

export class FactorName {
  @Uuid({ names: 'factor', description: 'The factor' }) readonly factorId!: string;
}

export const unenrollFactor = call({
  ...ownedByAuth,
  code: 'factors.unenroll',
  effect: 'write',
  input: FactorName,
  output: Confirmation,
});

export class ListedFactor {
  @Uuid({ description: 'The factor' }) readonly factorId!: string;
  @Choice(factorTypes, { wire: 'type', description: 'Kind of factor' }) readonly factorType!: FactorType;
  @Text({ max: 80, description: 'Name that its owner knows it by' }) readonly friendlyName!: string;
  @Choice(['verified', 'pending'], { description: 'Whether it counts' }) readonly status!: string;
  @Moment({ description: 'When it was enrolled' }) readonly createdAt!: string;
}

export class FactorList {
  @ListOf(() => ListedFactor, { max: 100, description: 'Verified and pending factors' })
  readonly factors!: readonly ListedFactor[];
  @Int({ description: 'How many' }) readonly total!: number;
}

export const listFactors = call({
  ...ownedByAuth,
  code: 'factors.list',
  effect: 'read',
  input: Empty,
  output: FactorList,
});
