import request, { type Response } from 'supertest';
import { Overloaded, RateLimited } from '@acervo/contracts';
import { FairSemaphore, type Release } from '@acervo/platform-resilience';
import { until } from '@acervo/platform-testing';
import { AddressLimiter, RequestAdmission } from '../src';
import { slowThing, testApp, type TestApp } from './support';

/** Refuses every address but one; an address `broken` cannot be counted. */
class OnlyHome extends AddressLimiter {
  override admit(address: string): Promise<void> {
    if (address === '203.0.113.9') return Promise.reject(new Error('the counters are away'));
    return address === '192.0.2.1' ? Promise.resolve() : Promise.reject(new RateLimited(7));
  }
}

/** One request at a time; none waits. */
class OneAtATime extends RequestAdmission {
  readonly tenants = new Set<string>();
  private readonly semaphore = new FairSemaphore({
    ...{ permits: 1, mostWaiting: 0 },
    refusal: () => new Overloaded('the service'),
  });
  override enter(tenant: string, gone: AbortSignal): Promise<Release> {
    this.tenants.add(tenant);
    return this.semaphore.enter(tenant, gone);
  }
}

const admission = new OneAtATime();
let http: TestApp;
beforeAll(async () => {
  http = await testApp({ limiter: new OnlyHome(), admission, trustedProxies: 1 });
});
afterAll(() => http.close());

const HOME = { 'X-Forwarded-For': '192.0.2.1' };
const ELSEWHERE = { 'X-Forwarded-For': '198.51.100.1' };
const send = (method: 'get' | 'post', path: string, headers: Record<string, string>) =>
  request(http.handler)[method](path).set(headers);

describe('the limit of an address', () => {
  it.each(['/v1/things', '/v1/things/T-1', '/v1/nothing', '/v1/open/limited', '/nothing', '/v1/things/%zz'])(
    '%s answers 429 before anything of the request is read',
    async (path) => {
      const { status, body, headers } = await send('get', path, { ...ELSEWHERE, Authorization: 'Bearer wrong' });
      expect([status, headers['retry-after']]).toEqual([429, '7']);
      expect(body).toMatchObject({ code: 'RATE_LIMITED', details: { retry_after_seconds: 7 } });
    },
  );
  it('a malformed body of a limited address is 429', async () => {
    const { status } = await send('post', '/v1/open', ELSEWHERE).type('json').send('{');
    expect(status).toBe(429);
  });
  it('an internal route answers a limited address in Spanish', async () => {
    const { status, body } = await send('get', '/documentos', ELSEWHERE);
    expect([status, body]).toEqual([429, expect.objectContaining({ codigo: 'RATE_LIMITED' })]);
  });
  it('an admitted address reaches the check of its credential', async () => {
    expect((await send('get', '/v1/things', HOME)).status).toBe(401);
  });
  it('a spoofed forwarded address does not replace the real one', async () => {
    const spoofed = { 'X-Forwarded-For': '192.0.2.1, 198.51.100.1' };
    expect((await send('get', '/v1/things', spoofed)).status).toBe(429);
  });
  it('a request that cannot be counted fails', async () => {
    expect((await send('get', '/v1/open/limited', { 'X-Forwarded-For': '203.0.113.9' })).status).toBe(500);
  });
  it('probes and metrics are not limited', async () => {
    expect((await send('get', '/health/live', ELSEWHERE)).status).toBe(200);
  });
});

describe('forwarded addresses', () => {
  const warnings = (app: TestApp): number => app.logged().split('ACERVO_TRUSTED_PROXIES to the number').length - 1;

  it('without a trusted proxy, forwarded headers are reported once', async () => {
    const direct = await testApp();
    await request(direct.handler).get('/v1/things');
    expect(warnings(direct)).toBe(0);
    for (let time = 0; time < 3; time += 1) await request(direct.handler).get('/v1/things').set(HOME);
    expect([warnings(direct), warnings(http)]).toEqual([1, 0]);
    await direct.close();
  });
});

describe('the admission of requests', () => {
  const asKey = (path: string) => send('get', path, { ...HOME, Authorization: 'Bearer key' });
  // The group of a credential is known after its first request; until then its address is its tenant.
  beforeAll(() => asKey('/v1/things').expect(200));

  it('a crowded tenant gets 503 in the envelope with a retry time', async () => {
    const refused: Response[] = [];
    const answers = Array.from({ length: 30 }, async () => {
      const answer = await asKey('/v1/things/slow');
      if (answer.status === 503) refused.push(answer);
      return answer.status;
    });
    await until('one request runs, and the others are refused', () => slowThing.waits + refused.length === 30);
    slowThing.open();
    expect((await Promise.all(answers)).filter((status) => status === 200)).toHaveLength(1);
    expect(refused).toHaveLength(29);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ code: 'INTERNAL_ERROR', details: { retry_after_seconds: 1 } });
      expect(headers['retry-after']).toBe('1');
    }
  });
  it('a request beyond the bound is refused before its body is read, without an error in the log', async () => {
    const before = http.logged().length;
    const slow = asKey('/v1/things/slow').then(({ status }) => status);
    await until('a request runs', () => slowThing.waits === 1);
    const { status, body, headers } = await send('post', '/v1/open', { ...HOME, Authorization: 'Bearer key' })
      .type('json')
      .send('{');
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(body).toMatchObject({ code: 'INTERNAL_ERROR', details: { retry_after_seconds: 1 } });
    expect(body.request_id).toBe(headers['x-request-id']);
    slowThing.open();
    expect(await slow).toBe(200);
    const lines = http.logged().slice(before);
    expect([lines.includes('"status":"503"'), lines.includes('request failed')]).toEqual([true, false]);
  });
  it('a verified credential uses the share of its group', async () => {
    await asKey('/v1/things');
    admission.tenants.clear();
    await asKey('/v1/things');
    expect([...admission.tenants]).toEqual(['g-1']);
  });
  it('a credential that was never valid uses the share of its address', async () => {
    admission.tenants.clear();
    for (let time = 0; time < 2; time += 1) await send('get', '/v1/things', { ...HOME, Authorization: 'Bearer wrong' });
    expect([...admission.tenants]).toEqual(['address:192.0.2.1']);
  });
  it('an answer of any status frees its place', async () => {
    const statuses: number[] = [];
    for (const path of ['/v1/nothing', '/v1/open/crash', '/v1/things', '/v1/open/limited'])
      statuses.push((await send('get', path, HOME)).status);
    expect(statuses).toEqual([404, 500, 401, 429]);
    expect((await asKey('/v1/things')).status).toBe(200);
  });
});
