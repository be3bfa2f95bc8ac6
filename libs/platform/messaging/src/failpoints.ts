/** The places where a test may end the process to prove that nothing is lost or doubled. */
export const failpoints = [
  'scan.batch',
  'relay.before-move',
  'relay.after-publish',
  'receiver.before-commit',
  'consumer.before-inbox',
  'handover.middle',
  'search.counted',
] as const;
/** Beside them, each stage right after it has taken work, and each write around the end of its transaction. */
export type FailpointName =
  (typeof failpoints)[number] | `stage.${string}` | `before-commit.${string}` | `after-commit.${string}`;

const isFailpoint = (name: string): name is FailpointName =>
  (failpoints as readonly string[]).includes(name) ||
  /^stage\.[a-z-]+$/.test(name) ||
  /^(?:before|after)-commit\.[a-z_.]+$/.test(name);

/**
 * What of `first;second;...` is meant for the n-th life of a process, from 1: whoever is started again goes on. A place
 * as `retrieval/stage.index:3` is meant for one process, others for all.
 */
export const failpointOfLife = (text: string | undefined, process: string, life: number): string | undefined => {
  const places = text?.split(';')[life - 1]?.split(',') ?? [];
  const own = places.flatMap((place) => {
    const [last = '', name = process] = place.split('/').toReversed();
    return name === process && last !== '' ? [last] : [];
  });
  return own.length === 0 ? undefined : own.join(',');
};

/** Does nothing, unless a test names places: then the process is killed at the n-th passage of one of them. */
export class Failpoints {
  private constructor(
    private readonly passagesLeft: Map<FailpointName, number>,
    private readonly die: () => void,
  ) {}

  static readonly none = new Failpoints(new Map(), () => undefined);

  /** From `name` or `name:n`, or several with commas between them. @throws for a place that does not exist. */
  static from(text: string | null, die: () => void = () => process.kill(process.pid, 'SIGKILL')): Failpoints {
    if (text === null) return Failpoints.none;
    const wanted = text.split(',').map((each): [FailpointName, number] => {
      const [name = '', at = '1'] = each.split(':');
      if (!isFailpoint(name))
        throw new Error(
          `There is no failpoint ${name}; there are ${failpoints.join(', ')}, stage.NAME, before-commit.CALL and after-commit.CALL.`,
        );
      return [name, Number(at)];
    });
    return new Failpoints(new Map(wanted), die);
  }

  hit(name: FailpointName): void {
    const left = this.passagesLeft.get(name);
    if (left === undefined) return;
    this.passagesLeft.set(name, left - 1);
    if (left === 1) this.die();
  }
}
