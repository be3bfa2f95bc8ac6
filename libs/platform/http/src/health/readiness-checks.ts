import { Injectable } from '@nestjs/common';
import { withTimeout } from '@acervo/platform-resilience';

/** An engine that this process depends on. `check` throws, or exceeds its time, when the engine is absent. */
export interface ReadinessCheck {
  readonly name: string;
  /** Without an optional engine the process serves less: the report names it, and the process stays ready. */
  readonly optional?: boolean;
  check(): Promise<void>;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
}

const DEADLINE_MS = 2_000;

/** Whether an engine answers in time. */
export const answersInTime = async (check: ReadinessCheck): Promise<boolean> => {
  try {
    await withTimeout(DEADLINE_MS, check.check(), () => new Error('late'));
    return true;
  } catch {
    return false;
  }
};

/** The readiness checks of an application; each module adds its own while the application starts. */
@Injectable()
export class ReadinessChecks {
  private readonly checks: ReadinessCheck[] = [];

  add(check: ReadinessCheck): void {
    this.checks.push(check);
  }

  get all(): readonly ReadinessCheck[] {
    return this.checks;
  }
}
