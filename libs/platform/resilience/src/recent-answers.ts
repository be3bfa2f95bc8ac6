interface Answered<T> {
  readonly until: number;
  readonly answer: Promise<T>;
}

/** Answers that hold for a while: later callers with the same key get the first one. A failure is not remembered. */
export class RecentAnswers<T> {
  private readonly answers = new Map<string, Answered<T>>();

  constructor(
    private readonly holdMs: number,
    private readonly most: number,
  ) {}

  /** Whether an answer holds for this key. */
  has(key: string): boolean {
    return (this.answers.get(key)?.until ?? 0) > performance.now();
  }

  get(key: string, work: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const recent = this.answers.get(key);
    if (recent !== undefined && recent.until > now) return recent.answer;
    const answered = { until: now + this.holdMs, answer: work() };
    // Deleted first, so that the map stays in the order of age.
    this.answers.delete(key);
    this.answers.set(key, answered);
    answered.answer.catch(() => this.forget(key, answered));
    for (const [oldest, each] of this.answers) {
      if (this.answers.size <= this.most && each.until > now) break;
      this.answers.delete(oldest);
    }
    return answered.answer;
  }

  private forget(key: string, answered: Answered<T>): void {
    if (this.answers.get(key) === answered) this.answers.delete(key);
  }
}
