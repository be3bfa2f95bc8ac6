import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { JWK } from 'jose';
import { type Call, DomainError, errorFrame } from '@acervo/contracts';
import { connectionProven, networkOf, problemOf, type RequestBodies } from '@acervo/platform-http';
import type { Logger } from '@acervo/platform-observability';
import { type AnyScope, anonymous } from '@acervo/rbac';
import type { CallServer, Dispatch } from './call-server';
import { leavingWithin } from './calls';
import { crossingOf, FrameRefused } from './errors';
import type { PeerKeys } from './keys';
import { assertProven, assertSameScope, PROOF_HEADER, type Proof, verifyProof } from './proof';
import type { ScopeVerifier } from './scope-tokens';
import { UsedProofs } from './used-proofs';

export interface CallRouteDependencies {
  readonly server: CallServer;
  /** The public keys of all processes of the service. */
  published(): Promise<readonly JWK[]>;
  readonly peers: PeerKeys;
  readonly scopes: ScopeVerifier;
  readonly bodies: Pick<RequestBodies, 'read'>;
  readonly logger: Logger;
}

const at = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;

const textAt = (holder: unknown, name: string): string | undefined => {
  const value = at(holder, name);
  return typeof value === 'string' ? value : undefined;
};

const scopeFor = async (
  call: Call,
  frame: unknown,
  work: AnyScope | undefined,
  scopes: ScopeVerifier,
): Promise<AnyScope> => {
  if (call.scope === 'user') return scopes.verify(textAt(frame, 'scope') ?? '');
  if (call.scope === 'anonymous') return anonymous;
  if (work === undefined) throw new FrameRefused('it needs a group to work for');
  return work;
};

/** @throws FrameRefused for a proof that is not valid, or was used before */
const admitted = async (verified: Promise<Proof>, used: UsedProofs): Promise<Proof> => {
  const proof = await verified;
  used.use(proof);
  return proof;
};

/** The proof of a call that came as a header; undefined for a program of the last release, which sends it in the body. */
const provenByHeader = async (
  { peers }: CallRouteDependencies,
  { headers }: Request,
  call: Call,
  used: UsedProofs,
): Promise<Proof | undefined> => {
  const header = headers[PROOF_HEADER];
  return typeof header === 'string' ? admitted(verifyProof(peers, header, call), used) : undefined;
};

/** Reads a call: the proof of its sender first, then its body, then what the proof says of the body. */
const readDispatch = async (
  dependencies: CallRouteDependencies,
  request: Request,
  code: string,
  used: UsedProofs,
): Promise<Dispatch> => {
  const { server, peers, scopes, bodies } = dependencies;
  const call = server.callOf(code);
  if (call === undefined) throw new FrameRefused('no handler answers it here');
  const proven = await provenByHeader(dependencies, request, call, used);
  if (proven === undefined)
    await bodies.read(request, 'unproven', [`address:${networkOf(request.socket.remoteAddress)}`]);
  else await bodies.read(request, 'call', [`caller:${proven.caller}`]);
  const body: unknown = request.body;
  const [frame, input] = [at(body, 'frame'), at(body, 'input')];
  const idempotencyKey = textAt(frame, 'idempotencyKey');
  const proof = proven ?? (await admitted(verifyProof(peers, textAt(frame, 'proof') ?? '', call), used));
  assertProven(proof, input, idempotencyKey);
  assertSameScope(proof, textAt(frame, 'scope'));
  connectionProven(request);
  const scope = await scopeFor(call, frame, proof.work, scopes);
  return { code, caller: proof.caller, scope, input, idempotencyKey, proofId: proof.id };
};

/** Domain errors cross as themselves; any other error stays in the log of the owner. */
const crossing = (error: unknown, code: string, logger: Logger): DomainError => {
  if (error instanceof FrameRefused) logger.warn({ call: code, reason: error.message }, 'call refused');
  if (!(error instanceof DomainError)) logger.error({ error, call: code }, 'call failed');
  return crossingOf(error, code);
};

/** The remaining wait of the caller, which limits the calls that its call causes. */
const deadlineOf = (body: unknown): number => {
  const ms: unknown = at(at(body, 'frame'), 'deadlineMs');
  return typeof ms === 'number' && ms > 0 ? ms : Infinity;
};

const CALL_PATH = /^\/internal\/calls\/([\w.]{1,120})$/;

/** Whether the headers of a request carry the valid proof of a call that this service answers. Never rejects. */
export const provesSender =
  (server: Pick<CallServer, 'callOf'>, peers: PeerKeys) =>
  async ({ method, url = '', headers }: IncomingMessage): Promise<boolean> => {
    const [code, header] = [method === 'POST' ? CALL_PATH.exec(url)?.[1] : undefined, headers[PROOF_HEADER]];
    const call = code === undefined ? undefined : server.callOf(code);
    if (call === undefined || typeof header !== 'string') return false;
    return verifyProof(peers, header, call).then(
      () => true,
      () => false,
    );
  };

/** `POST /internal/calls/{code}` and `GET /internal/jwks`, for the internal server. */
export const callRoutes = (dependencies: CallRouteDependencies): RequestHandler => {
  const used = new UsedProofs();
  const answer = async (request: Request, code: string): Promise<{ status: number; body: object }> => {
    try {
      const dispatch = await readDispatch(dependencies, request, code, used);
      const output = await leavingWithin(deadlineOf(request.body), () => dependencies.server.dispatch(dispatch));
      return { status: 200, body: { output } };
    } catch (error) {
      const crossed = crossing(error, code, dependencies.logger);
      return { status: problemOf(crossed).status, body: { error: errorFrame(crossed) } };
    }
  };
  return (request, response, next) => {
    if (request.method === 'GET' && request.path === '/internal/jwks')
      return void dependencies.published().then((keys) => response.json({ keys }), next);
    const code = request.method === 'POST' ? CALL_PATH.exec(request.path)?.[1] : undefined;
    if (code === undefined) return next();
    void answer(request, code).then(({ status, body }) => response.status(status).json(body), next);
  };
};
