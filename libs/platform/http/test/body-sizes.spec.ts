import { Readable } from 'node:stream';
import type { Request } from 'express';
import { Metrics } from '@acervo/platform-observability';
import { type BodyKind, RequestBodies, UnreadBody } from '../src/body';

const MEGABYTE = 1_024 * 1_024;

/** A request with a body of this size. */
const requestOf = (bytes: number): Request => {
  const body = JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes) };
  const [is, res] = [() => 'application/json', {}];
  return Object.assign(Readable.from([Buffer.from(body)]), { headers, is, res }) as unknown as Request;
};

const isRead = async (kind: BodyKind, bytes: number): Promise<boolean> => {
  const request = requestOf(bytes);
  await new RequestBodies(new Metrics('test')).read(request, kind, ['sharer']);
  return !(request.body instanceof UnreadBody);
};

describe('the size of a call', () => {
  it.each<BodyKind>(['call', 'unproven'])('a body of kind %s is read up to 32 MB', async (kind) => {
    expect(await isRead(kind, 32 * MEGABYTE)).toBe(true);
    expect(await isRead(kind, 32 * MEGABYTE + 1)).toBe(false);
  });
});
