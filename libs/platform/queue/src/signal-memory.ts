/** A signal that waits for its batch covers later tasks for this long, if another process does not take it up. */
const COVERS_MS = 200;

/**
 * Which signals are not worth a job: the batch that they would start is running here and looks for further tasks before
 * it ends, or the last signal has just been sent and its batch has not begun.
 */
export class SignalMemory {
  private readonly running = new Map<string, number>();
  private readonly sentAt = new Map<string, number>();
  private readonly late = new Map<string, NodeJS.Timeout>();

  /** @param send sends a signal that was covered, unless its batch began here meanwhile */
  constructor(private readonly send: (groupId: string, stage: string) => void) {}

  /** Whether a signal has to be sent now. */
  isDue(groupId: string, stage: string): boolean {
    const name = `${groupId}-${stage}`;
    if (this.running.has(name)) return false;
    const waits = (this.sentAt.get(name) ?? -COVERS_MS) + COVERS_MS - performance.now();
    if (waits > 0) {
      if (!this.late.has(name)) this.late.set(name, this.later(name, groupId, stage, waits));
      return false;
    }
    this.sentAt.set(name, performance.now());
    return true;
  }

  /** A batch begins here, and claims what waits. */
  begun(groupId: string, stage: string): void {
    const name = `${groupId}-${stage}`;
    this.running.set(name, (this.running.get(name) ?? 0) + 1);
    this.forget(name);
  }

  /** A batch is over; its worker looks whether tasks wait. */
  ended(groupId: string, stage: string): void {
    const name = `${groupId}-${stage}`;
    const left = (this.running.get(name) ?? 1) - 1;
    if (left > 0) this.running.set(name, left);
    else this.running.delete(name);
  }

  close(): void {
    for (const name of [...this.late.keys()]) this.forget(name);
  }

  private later(name: string, groupId: string, stage: string, ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.forget(name);
      this.send(groupId, stage);
    }, ms).unref();
  }

  private forget(name: string): void {
    this.sentAt.delete(name);
    clearTimeout(this.late.get(name));
    this.late.delete(name);
  }
}
