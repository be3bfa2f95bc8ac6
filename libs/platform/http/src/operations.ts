import type { RequestHandler } from 'express';
import type { Metrics } from '@acervo/platform-observability';

/** Something that this process cannot serve without. `check` throws, or takes too long, when it is not there. */
export interface ReadinessCheck {
  readonly name: string;
  check(): Promise<void>;
}

const DEADLINE_MS = 2_000;

const answersInTime = async (check: ReadinessCheck): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), DEADLINE_MS);
  });
  try {
    await Promise.race([check.check(), late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
}

export const readiness = async (checks: readonly ReadinessCheck[]): Promise<ReadinessReport> => {
  const results = await Promise.all(checks.map(async (check) => [check.name, await answersInTime(check)] as const));
  return { ready: results.every(([, ready]) => ready), checks: Object.fromEntries(results) };
};

/** `/health/live`, `/health/ready` and `/metrics`; on the internal server only, without a credential. */
export const operationsRoutes =
  (metrics: Metrics, checks: readonly ReadinessCheck[]): RequestHandler =>
  (request, response, next) => {
    if (request.method !== 'GET') return next();
    if (request.path === '/health/live') return void response.json({ live: true });
    if (request.path === '/health/ready')
      return void readiness(checks).then((report) => response.status(report.ready ? 200 : 503).json(report));
    if (request.path === '/metrics')
      return void metrics.registry.metrics().then((text) => response.type('text/plain').send(text), next);
    return next();
  };
