/** State that the test environment keeps for the life of a Jest worker. */
export interface Worker {
  /** How many suites the worker has begun. */
  readonly suites: number;
  readonly values: Map<string, unknown>;
  onExit(work: () => void): void;
}

/** Absent where suites run outside the test environment of this workspace, and in benches. */
export const worker = (): Worker | undefined =>
  (globalThis as unknown as Record<symbol, Worker | undefined>)[Symbol.for('acervo.worker')];
