import { Injectable } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { InvalidInput, Overloaded } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import type { Release } from '@acervo/platform-resilience';
import { outsideOfPlace } from './admission';
import { BODY_BYTES } from './http-metrics';

/**
 * Whose body is read: that of a caller without a credential, of a verified caller, of a proven call between services, or
 * of a call whose proof stands in its body.
 */
export type BodyKind = 'anonymous' | 'verified' | 'call' | 'unproven';

interface BodyLimits {
  readonly bytes: number;
  readonly keys: number;
}

const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;
const MOST_DEPTH = 64;

/**
 * Limits by kind. The contract of a call bounds each list and text: a call in one process has no other limit, and the
 * widest one carries 500 rows of a table.
 */
const LIMITS: Readonly<Record<BodyKind, BodyLimits>> = {
  anonymous: { bytes: 16 * KILOBYTE, keys: 1_000 },
  verified: { bytes: MEGABYTE, keys: 1_000 },
  call: { bytes: 32 * MEGABYTE, keys: 200_000 },
  unproven: { bytes: 32 * MEGABYTE, keys: 200_000 },
};

/** Bytes of bodies that a process reads at a time. Calls with a proof never wait for memory of others. */
const BUDGETS = { public: 32 * MEGABYTE, internal: 128 * MEGABYTE, unproven: 64 * MEGABYTE } as const;
const BUDGET_OF: Readonly<Record<BodyKind, keyof typeof BUDGETS>> = {
  ...{ anonymous: 'public', verified: 'public' },
  ...{ call: 'internal', unproven: 'unproven' },
};

const [BAD_REQUEST, TOO_LARGE, UNSUPPORTED] = [400, 413, 415];

/** A body that could not be read. A caller without access gets that error first, so this one waits for the pipe. */
export class UnreadBody {
  constructor(readonly error: unknown) {}
}

class BodyRefused extends Error {
  override readonly name = 'BodyRefused';
  readonly expose = true;
  constructor(readonly status: number) {
    super('The body of the request cannot be read.');
  }
}

/** Whether a parsed body is deeper or wider than any legitimate one. */
const isExcessive = (value: unknown, mostKeys: number): boolean => {
  let keys = 0;
  const stack: [unknown, number][] = [[value, 1]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, depth] = next;
    if (typeof node !== 'object' || node === null) continue;
    const children = Object.values(node);
    keys += Array.isArray(node) ? 0 : children.length;
    if (depth > MOST_DEPTH || keys > mostKeys) return true;
    for (const child of children) stack.push([child, depth + 1]);
  }
  return false;
};

const lengthOf = ({ headers }: Request): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

/** Whether a body is JSON as it is. @throws BodyRefused */
const assertPlainJson = (request: Request): void => {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  // A compressed body may grow a thousandfold in memory, and the contract asks for none.
  if (encoding.toLowerCase() !== 'identity') throw new BodyRefused(BAD_REQUEST);
  if (!request.is('application/json')) throw new BodyRefused(UNSUPPORTED);
};

/** Reads a body into `request.body`. */
type Reader = (request: Request) => Promise<void>;

/** @throws UnreadBody for a body that is too large, broken, or excessive */
const readerOf = ({ bytes, keys }: BodyLimits): Reader => {
  const json = express.json({ limit: bytes, strict: true, inflate: false, type: 'application/json' });
  return async (request) => {
    // The parser reads the request alone; its type asks for a response, too.
    const error = await new Promise<unknown>((resolve) => json(request, request.res as Response, resolve));
    if (error !== undefined) throw new UnreadBody(error);
    if (isExcessive(request.body, keys)) throw new InvalidInput({ missing: [], invalid: [], unknown: 0 });
  };
};

/** Bytes that may be used at a time, at most half of them by one sharer. */
export class ByteBudget {
  private used = 0;
  private readonly shares = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Bytes in use. */
  get inUse(): number {
    return this.used;
  }

  /** @throws Overloaded when the budget or the share of a sharer is used up */
  take(bytes: number, sharers: readonly string[]): Release {
    const isBeyondShare = sharers.some((sharer) => (this.shares.get(sharer) ?? 0) + bytes > this.most / 2);
    if (isBeyondShare || this.used + bytes > this.most) throw new Overloaded('the memory for bodies');
    this.add(bytes, sharers);
    let isHeld = true;
    return () => {
      if (isHeld) this.add(-bytes, sharers);
      isHeld = false;
    };
  }

  private add(bytes: number, sharers: readonly string[]): void {
    this.used += bytes;
    for (const sharer of sharers) {
      const used = (this.shares.get(sharer) ?? 0) + bytes;
      if (used === 0) this.shares.delete(sharer);
      else this.shares.set(sharer, used);
    }
  }
}

/** Reads bodies once their callers are known, within one budget of bytes for all that are read at a time. */
@Injectable()
export class RequestBodies {
  private readonly readers: Readonly<Record<BodyKind, Reader>> = {
    anonymous: readerOf(LIMITS.anonymous),
    verified: readerOf(LIMITS.verified),
    call: readerOf(LIMITS.call),
    unproven: readerOf(LIMITS.unproven),
  };
  private readonly budgets = {
    public: new ByteBudget(BUDGETS.public),
    internal: new ByteBudget(BUDGETS.internal),
    unproven: new ByteBudget(BUDGETS.unproven),
  };

  constructor(metrics: Metrics) {
    metrics.gauge(BODY_BYTES, (gauge) => {
      const { public: outside, internal, unproven } = this.budgets;
      gauge.set({ listener: 'public' }, outside.inUse);
      gauge.set({ listener: 'internal' }, internal.inUse + unproven.inUse);
    });
  }

  /**
   * Reads the JSON body of a request into `request.body`; an error of the body is kept there for the pipe.
   * @param sharers the group, service or address that the bytes count for
   * @throws Overloaded before the first byte, when too many bytes are being read
   */
  async read(request: Request, kind: BodyKind, sharers: readonly string[]): Promise<void> {
    if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return;
    const limits = LIMITS[kind];
    const length = lengthOf(request);
    if (length === 0 && !request.is('application/json')) return;
    try {
      assertPlainJson(request);
      if (length !== undefined && length > limits.bytes) throw new BodyRefused(TOO_LARGE);
      const release = this.budgets[BUDGET_OF[kind]].take(length ?? limits.bytes, sharers);
      try {
        await outsideOfPlace(request, () => this.readers[kind](request));
      } finally {
        release();
      }
    } catch (error) {
      if (error instanceof UnreadBody) request.body = error;
      else if (error instanceof BodyRefused || error instanceof InvalidInput) request.body = new UnreadBody(error);
      else throw error;
    }
  }
}
