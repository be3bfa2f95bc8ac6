import { TextDecoder } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidInput, Overloaded } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import type { Release } from '@acervo/platform-resilience';
import { outsideOfPlace } from './admission';
import { BODY_BYTES } from './http-metrics';

/** Whose body is read: that of a caller without a credential, of a verified caller, or of a call between services. */
export type BodyKind = 'anonymous' | 'verified' | 'call';

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
};

/** Bytes of bodies that a process reads at a time. */
const BUDGETS = { public: 32 * MEGABYTE, internal: 128 * MEGABYTE } as const;

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

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const CHARSETS = ['utf-8', 'utf-16', 'utf-16le', 'utf-16be'];

/** The decoder of a body, by its declared type. @throws BodyRefused for any other than JSON as it is, uncompressed */
const decoderOf = (request: Request): TextDecoder => {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  // A compressed body may grow a thousandfold in memory, and the contract asks for none.
  if (encoding.toLowerCase() !== 'identity') throw new BodyRefused(BAD_REQUEST);
  const charset = (CHARSET.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8').toLowerCase();
  if (!request.is('application/json') || !CHARSETS.includes(charset)) throw new BodyRefused(UNSUPPORTED);
  return new TextDecoder(charset);
};

/** The bytes of a body. @throws BodyRefused when there are more, or the client leaves */
const bytesOf = (request: Request, most: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const stop = (): void => void request.off('data', take).off('end', finish).off('error', fail).off('close', fail);
    const take = (part: Buffer): void => {
      size += part.length;
      if (size <= most) return void parts.push(part);
      stop();
      // The rest is read and dropped, so that the client can read its answer.
      request.resume();
      reject(new BodyRefused(TOO_LARGE));
    };
    const finish = (): void => {
      stop();
      resolve(Buffer.concat(parts));
    };
    const fail = (): void => {
      stop();
      reject(new BodyRefused(BAD_REQUEST));
    };
    request.on('data', take).on('end', finish).on('error', fail).on('close', fail);
  });

/** The object or list of a text; an empty one is an object without fields. */
const parsed = (text: string, { keys }: BodyLimits): unknown => {
  if (text === '') return {};
  const value: unknown = (() => {
    try {
      return JSON.parse(text);
    } catch {
      throw new BodyRefused(BAD_REQUEST);
    }
  })();
  if (typeof value !== 'object' || value === null) throw new BodyRefused(BAD_REQUEST);
  if (isExcessive(value, keys)) throw new InvalidInput({ missing: [], invalid: [], unknown: 0 });
  return value;
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
  private readonly budgets = { public: new ByteBudget(BUDGETS.public), internal: new ByteBudget(BUDGETS.internal) };

  constructor(metrics: Metrics) {
    metrics.gauge(BODY_BYTES, (gauge) => {
      for (const [listener, { inUse }] of Object.entries(this.budgets)) gauge.set({ listener }, inUse);
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
      const decoder = decoderOf(request);
      if (length !== undefined && length > limits.bytes) throw new BodyRefused(TOO_LARGE);
      const release = this.budgets[kind === 'call' ? 'internal' : 'public'].take(length ?? limits.bytes, sharers);
      try {
        const bytes = await outsideOfPlace(request, () => bytesOf(request, limits.bytes));
        request.body = parsed(decoder.decode(bytes), limits);
      } finally {
        release();
      }
    } catch (error) {
      if (!(error instanceof BodyRefused || error instanceof InvalidInput)) throw error;
      request.body = new UnreadBody(error);
    }
  }
}
