/** The places where a test may end the process to prove that nothing is lost or doubled. */
export const failpoints = [
  'relay.before-move',
  'relay.after-publish',
  'receiver.before-commit',
  'consumer.before-inbox',
  'handover.middle',
] as const;
export type FailpointName = (typeof failpoints)[number];

/** Does nothing, unless a test names a place: then the process is killed there at the n-th passage. */
export class Failpoints {
  private passages = 0;

  private constructor(
    private readonly name: string | null,
    private readonly at: number,
    private readonly die: () => void,
  ) {}

  static readonly none = new Failpoints(null, 0, () => undefined);

  /** From `name` or `name:n`. @throws for a place that does not exist. */
  static from(text: string | null, die: () => void = () => process.kill(process.pid, 'SIGKILL')): Failpoints {
    if (text === null) return Failpoints.none;
    const [name = '', at = '1'] = text.split(':');
    if (!(failpoints as readonly string[]).includes(name))
      throw new Error(`There is no failpoint ${name}; there are ${failpoints.join(', ')}.`);
    return new Failpoints(name, Number(at), die);
  }

  hit(name: FailpointName): void {
    if (this.name !== name) return;
    this.passages += 1;
    if (this.passages === this.at) this.die();
  }
}
