import { EventEmitter } from 'node:events';
import type { NextFunction, Request, Response } from 'express';
import fc from 'fast-check';
import { admitRequests, KnownTenants, outsideOfPlace } from '../src/admission';
import { Places } from './support';

const PERMITS = 2;

/** The part of a response that the admission uses. */
class Answer extends EventEmitter {
  writeHead(): this {
    return this;
  }
  end(): this {
    return this;
  }
}

/** What can happen to a request, in any order and any number of times. */
const EVENTS = ['answer', 'finish', 'close', 'turn', 'slow body', 'body'] as const;
type Event = (typeof EVENTS)[number];

interface Sent {
  readonly request: Request;
  readonly answer: Answer;
  /** Ends the body that is being read. */
  readonly bodies: (() => void)[];
  isBegun: boolean;
  isOver: boolean;
}

const arrive = (places: Places, index: number): Sent => {
  const request = {
    path: '/v1/things',
    headers: {},
    ip: `192.0.2.${index % 3}`,
    complete: false,
  } as unknown as Request;
  const sent: Sent = { request, answer: new Answer(), bodies: [], isBegun: false, isOver: false };
  const next = ((error?: unknown) => {
    if (error === undefined) sent.isBegun = true;
    // The error of a refused request is an answer too.
    else happen(sent, 'answer');
  }) as NextFunction;
  admitRequests(places, new KnownTenants())(request, sent.answer as unknown as Response, next);
  return sent;
};

const happen = (sent: Sent, event: Event): void => {
  if (event === 'turn') return;
  if (event === 'body') return sent.bodies.shift()?.();
  if (event === 'slow body') {
    if (!sent.isBegun || sent.bodies.length > 0) return;
    const body = new Promise<void>((resolve) => sent.bodies.push(resolve));
    // A request that is refused on its way back answers.
    return void outsideOfPlace(sent.request, () => body).catch(() => sent.answer.writeHead());
  }
  sent.isOver ||= event !== 'finish';
  if (event === 'answer') sent.answer.writeHead();
  else sent.answer.emit(event);
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the place of a request', () => {
  it('every order of answers and ends gives back every place once', async () => {
    const order = fc.array(fc.tuple(fc.nat(7), fc.constantFrom(...EVENTS)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(order, async (steps) => {
        const places = new Places(PERMITS, 4);
        const sent = new Map<number, Sent>();
        for (const [index, event] of steps) {
          const request = sent.get(index);
          if (request === undefined) sent.set(index, arrive(places, index));
          else happen(request, event);
          if (event === 'turn') await settled();
        }
        await settled();
        const begun = [...sent.values()].filter(({ isBegun, isOver }) => isBegun && !isOver).length;
        expect(places.semaphore.inUse).toBeLessThanOrEqual(Math.min(begun, PERMITS));
        expect(places.semaphore.inUse).toBeGreaterThanOrEqual(0);
        for (const request of sent.values()) happen(request, 'close');
        for (const request of sent.values()) happen(request, 'body');
        await settled();
        expect([places.semaphore.inUse, places.semaphore.queued, places.semaphore.idle]).toEqual([0, 0, true]);
      }),
      { numRuns: 500 },
    );
  });
  it('a request whose client leaves while it waits is not worked on', async () => {
    const places = new Places(PERMITS, 4);
    const [first, , third] = [0, 1, 2].map((index) => arrive(places, index));
    await settled();
    expect([places.semaphore.inUse, places.semaphore.queued]).toEqual([2, 1]);
    happen(third as Sent, 'close');
    happen(first as Sent, 'answer');
    await settled();
    expect([places.semaphore.inUse, places.semaphore.queued, third?.isBegun]).toEqual([1, 0, false]);
  });
});
