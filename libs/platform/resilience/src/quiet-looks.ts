/**
 * Leaves out periodic looks for what work leaves behind: a look is due after some work, or after some looks that were
 * left out.
 */
export class QuietLooks {
  private seen = 0;
  private leftOut = 0;

  /** @param some work after which a look is due at once; @param longest looks after which a little work suffices */
  constructor(
    private readonly some: number,
    private readonly longest: number,
  ) {}

  /** Called by each look. @param done all work so far */
  isDue(done: number): boolean {
    this.leftOut += 1;
    if (done === this.seen || (done - this.seen < this.some && this.leftOut < this.longest)) return false;
    [this.seen, this.leftOut] = [done, 0];
    return true;
  }
}
