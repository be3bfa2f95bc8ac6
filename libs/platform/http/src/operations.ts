import type { RequestHandler } from 'express';
import type { Metrics } from '@acervo/platform-observability';

/** Something that this process serves from. `check` throws, or takes too long, when it is not there. */
export interface ReadinessCheck {
  readonly name: string;
  /** Without it the process serves less and still serves: it is named, and requests keep coming. */
  readonly spare?: boolean;
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
  const results = await Promise.all(checks.map(async (check) => ({ ...check, there: await answersInTime(check) })));
  return {
    ready: results.every(({ there, spare = false }) => there || spare),
    checks: Object.fromEntries(results.map(({ name, there }) => [name, there])),
  };
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
