import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { InvalidInput } from '@acervo/contracts';
import { listenerOfPath } from './paths';

interface BodyLimits {
  readonly bytes: string;
  readonly keys: number;
}

const MOST_DEPTH = 64;
/** Limits of a request from outside. */
const PUBLIC: BodyLimits = { bytes: '1mb', keys: 1_000 };
/**
 * Limits of a call between services. Its contract bounds each list and text: a call in one process has no other limit,
 * and the widest one carries 500 rows of a table.
 */
const INTERNAL: BodyLimits = { bytes: '32mb', keys: 200_000 };

/** A body that could not be read. A caller without access gets that error first, so this one waits for the pipe. */
export class UnreadBody {
  constructor(readonly error: unknown) {}
}

class UnsupportedMediaType extends Error {
  readonly status = 415;
  readonly expose = true;
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

const hasBody = (request: Request): boolean =>
  Number(request.headers['content-length'] ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined;

const readWithin = ({ bytes, keys }: BodyLimits): RequestHandler => {
  const json = express.json({ limit: bytes, strict: true, type: 'application/json' });
  return (request: Request, response: Response, next: NextFunction): void => {
    json(request, response, (error?: unknown) => {
      if (error !== undefined) request.body = new UnreadBody(error);
      else if (hasBody(request) && !request.is('application/json'))
        request.body = new UnreadBody(new UnsupportedMediaType());
      else if (isExcessive(request.body, keys))
        request.body = new UnreadBody(new InvalidInput({ missing: [], invalid: [], unknown: 0 }));
      next();
    });
  };
};

/** Reads JSON bodies within the limits of their listener; an error is kept until the guard has decided. */
export const readBody = (): RequestHandler => {
  const readers = { public: readWithin(PUBLIC), internal: readWithin(INTERNAL) } as const;
  return (request, response, next) => readers[listenerOfPath(request.path)](request, response, next);
};
