/** The places where a test may end the process to prove that nothing is lost or doubled. */
export const failpoints = [
  'scan.batch',
  'corpus.taken',
  'pipeline.step',
  'pipeline.before-commit',
  'pipeline.committed',
  'relay.before-move',
  'relay.after-publish',
  'receiver.before-commit',
  'consumer.before-inbox',
  'handover.middle',
  'space.middle',
  'space.before-flip',
  'space.flipped',
  'space.purge',
  'search.counted',
  'skill.kept',
  'skill.before-commit',
  'skill.committed',
  'web.page',
] as const;
/**
 * Further failpoints: each stage right after it has claimed tasks, each write before and after its commit, and each
 * topic when its event is handled and not committed.
 */
export type FailpointName =
  | (typeof failpoints)[number]
  | `stage.${string}`
  | `before-commit.${string}`
  | `after-commit.${string}`
  | `handled.${string}`;

const isFailpoint = (name: string): name is FailpointName =>
  (failpoints as readonly string[]).includes(name) ||
  /^stage\.[a-z-]+$/.test(name) ||
  /^(?:before|after)-commit\.[a-z_.]+$/.test(name) ||
  /^handled\.[a-z_.]+\.v\d+$/.test(name);

/**
 * The part of `first;second;...` for the n-th life of a process, from 1: a restarted process uses the next part.
 * `retrieval/stage.index:3` applies to one process, other places to all.
 */
export const failpointOfLife = (text: string | undefined, process: string, life: number): string | undefined => {
  const places = text?.split(';')[life - 1]?.split(',') ?? [];
  const reached = places.flatMap((place) => {
    const [last = '', name = process] = place.split('/').toReversed();
    return name === process && last !== '' ? [last] : [];
  });
  return reached.length === 0 ? undefined : reached.join(',');
};

/** Does nothing unless a test names failpoints: then the n-th hit of one kills the process. */
export class Failpoints {
  private constructor(
    private readonly passagesLeft: Map<FailpointName, number>,
    private readonly die: () => void,
  ) {}

  static readonly none = new Failpoints(new Map(), () => undefined);

  /** Parses `name` or `name:n`, or several with commas between them. @throws for an unknown failpoint */
  static from(text: string | null, die: () => void = () => process.kill(process.pid, 'SIGKILL')): Failpoints {
    if (text === null) return Failpoints.none;
    const wanted = text.split(',').map((each): [FailpointName, number] => {
      const [name = '', at = '1'] = each.split(':');
      if (!isFailpoint(name))
        throw new Error(
          `There is no failpoint ${name}; there are ${failpoints.join(', ')}, stage.NAME, before-commit.CALL, after-commit.CALL and handled.TOPIC.`,
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
