import { Failpoints, type FailpointName } from '@acervo/platform-messaging';
import { Bench } from './bench';

/** Two processes on one database: the first dies in the middle of its work, and the other one goes on. */
export class KilledProcess {
  private constructor(
    readonly killed: Bench,
    readonly other: Bench,
  ) {}

  static async open(environment: Readonly<Record<string, string>> = {}): Promise<KilledProcess> {
    return KilledProcess.of(await Bench.open(undefined, undefined, { environment }));
  }

  static async of(killed: Bench): Promise<KilledProcess> {
    return new KilledProcess(killed, await killed.beside());
  }

  /** Works a stage until the death, ends its leases, and works the rest in the other process; counts the death. */
  async workBroken(groupId: string, stage: string, death: Death): Promise<number> {
    const { killed, other } = this;
    let deaths = 0;
    dieAt(death);
    await killed.workStage(groupId, stage).catch(() => (deaths += 1));
    jest.restoreAllMocks();
    await killed.database.write({ groupId }, (tx) =>
      tx.query(
        `update ingestion.task set leased_until = now() - interval '1 second'
         where group_id = $1 and status = 'LEASED'`,
        [groupId],
      ),
    );
    // A task whose worker is gone is claimed alone.
    while ((await other.workStage(groupId, stage)) > 0);
    return deaths;
  }
}

/** The passage at which the n-th kill falls, from 0: the first one leaves a passage that is over before it. */
export const passageOf = (kill: number, most: number): number => 1 + ((kill + 1) % most);

interface Death {
  readonly place: FailpointName;
  readonly passage: number;
}

/** From the n-th passage of a failpoint on, the process reaches nothing behind a failpoint. */
const dieAt = ({ place, passage }: Death): void => {
  let passages = 0;
  let isDead = false;
  jest.spyOn(Failpoints.none, 'hit').mockImplementation((name) => {
    if (name === place) isDead ||= (passages += 1) === passage;
    if (isDead) throw Object.assign(new Error('killed'), { code: 'ECONNRESET' });
  });
};
