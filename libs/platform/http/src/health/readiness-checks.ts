import { Injectable } from '@nestjs/common';

/**
 * An engine that this process depends on. `check` throws, or takes longer than a second, when the engine is absent. It
 * settles at some time, because no second run begins before.
 */
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
