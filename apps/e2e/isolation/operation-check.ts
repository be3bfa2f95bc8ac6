import type { Door } from './credentials';
import { Differential, type Pair, type Prepared, type SuiteContext } from './differential';
import { canariesIn } from './canaries';
import { fingerprint, type Fingerprint, type Table } from './evidence';
import type { Operation, PlacedSlot, Received } from './operations';
import { mayChangeOthers, refusalOf, namesFirstGroup, revealsTakenAddress } from './refusals';

/** The checks of an operation and their result. `wrong` lists what crossed, and is empty otherwise. */
export interface CheckResult {
  readonly pairs: number;
  readonly controls: number;
  readonly wrong: readonly string[];
}

const changed = (before: Fingerprint, after: Fingerprint): string[] =>
  Object.keys(after).filter((name) => before[name] !== after[name]);

/** Writes that may end or narrow the caller's credentials. */
const CHANGES_CREDENTIALS = /^(\w+ \/(auth|v1\/session)|sessions?\.|factors\.|passwords\.)/;

const SHOWN_CHARACTERS = 120;

/** Where two answers begin to differ; empty where they do not. */
const firstDifference = (one: string, other: string): string => {
  const at = [...one].findIndex((character, index) => character !== other[index]);
  if (at === -1) return '';
  const [shown, instead] = [one, other].map((text) => text.slice(Math.max(0, at - 40), at + SHOWN_CHARACTERS));
  return `: ${shown} | ${instead}`;
};

/** Tries every slot of one operation with every kind of authentication, and with the caller's own fixture. */
export class OperationCheck {
  private readonly wrong: string[] = [];
  /** A service can write only into its own schema, which the catalogue proves. */
  private readonly within: readonly Table[];
  private pairs = 0;
  private controls = 0;
  private systemOnly: boolean;

  constructor(
    private readonly context: SuiteContext,
    tables: readonly Table[],
    private readonly operation: Operation,
  ) {
    this.systemOnly = operation.by === 'system';
    this.within = tables.filter(({ schema }) => operation.writesTo === null || schema === operation.writesTo);
  }

  /** @param enough stops after this number of violations */
  async run(enough = Infinity): Promise<CheckResult> {
    const differential = new Differential(this.context, this.operation);
    const tries = this.operation.doors.flatMap((door) => [
      ...differential.tried.map((slot) => () => this.deny(differential, slot, door)),
      ...[undefined, ...differential.tried].map((slot) => () => this.allow(differential, slot, door)),
    ]);
    for (const attempt of tries) if (this.wrong.length < enough) await attempt();
    return { pairs: this.pairs, controls: this.controls, wrong: this.wrong };
  }

  private async deny(differential: Differential, slot: PlacedSlot, door: Door): Promise<void> {
    const { name } = this.operation;
    const pair = (prepared: Prepared): Promise<Pair> => differential.pair(prepared, slot, door);
    // The pair of a text writes into the other group itself; other pairs watch what the operation writes.
    const { real, random, alike } = await (differential.isText(slot)
      ? this.attempt(differential, slot, pair)
      : this.unchanged(differential, slot, pair));
    this.pairs += 1;
    if (!alike && !revealsTakenAddress(name, slot.name))
      this.reported(
        slot,
        `answers ${real.status} to what another group has and ${random.status} to nothing, or in other words${firstDifference(real.compared, random.compared)}`,
      );
    for (const received of [real, random]) this.scan(slot, received, door);
  }

  private async allow(differential: Differential, slot: PlacedSlot | undefined, door: Door): Promise<void> {
    const { name } = this.operation;
    const received = await this.unchanged(differential, slot, (prepared) =>
      this.ownAnswer(differential, prepared, slot, door),
    );
    this.controls += 1;
    const fits = received.succeeded || refusalOf(name, slot === undefined).includes(received.status);
    if (!fits)
      this.reported(slot, `refuses what is the asker's own with ${received.status}; see refusals.ts and kinds.ts`);
    // SYSTEM users run the installation and see the directory of all groups.
    if (!this.systemOnly) this.scan(slot, received, door);
    if (this.operation.writes && CHANGES_CREDENTIALS.test(name)) this.context.credentials.forget();
  }

  /** The answer about the caller's fixture, as a SYSTEM user where an administrator is refused for its level. */
  private async ownAnswer(
    differential: Differential,
    prepared: Prepared,
    slot: PlacedSlot | undefined,
    door: Door,
  ): Promise<Received> {
    const received = await differential.ownAnswer(prepared, slot, this.systemOnly ? 'system' : door);
    if (slot !== undefined || this.systemOnly || !this.isForSystemOnly(received, door)) return received;
    this.systemOnly = true;
    return differential.ownAnswer(prepared, slot, 'system');
  }

  /** Calls declare no level; their service does, in its answer to the first request, the one without a slot. */
  private isForSystemOnly({ compared }: Received, door: Door): boolean {
    return door === 'session' && this.operation.kind === 'call' && compared.includes('"SystemOnly"');
  }

  /** Checks that `work` changes nothing in the other group, including its objects. */
  private unchanged<T>(
    differential: Differential,
    slot: PlacedSlot | undefined,
    ask: (prepared: Prepared) => Promise<T>,
  ): Promise<T> {
    return this.attempt(differential, slot, async (prepared) => {
      if (!this.operation.writes) return ask(prepared);
      const before = await this.print();
      const answer = await ask(prepared);
      const tables = changed(before, await this.print());
      if (tables.length > 0 && !mayChangeOthers(this.operation.name))
        this.reported(slot, `changes ${tables.join(', ')} of another group`);
      return answer;
    });
  }

  /** Asks about fixtures of its own. A read leaves them as they were, for the next check. */
  private async attempt<T>(
    differential: Differential,
    slot: PlacedSlot | undefined,
    ask: (prepared: Prepared) => Promise<T>,
  ): Promise<T> {
    const prepared = await differential.prepare(slot);
    const answer = await ask(prepared);
    if (!this.operation.writes) differential.giveBack(prepared, slot);
    return answer;
  }

  private print(): Promise<Fingerprint> {
    const { installation, tenants } = this.context;
    return fingerprint(installation, this.within, tenants.other.groupId);
  }

  private scan(slot: PlacedSlot | undefined, { compared, sent }: Received, door: Door): void {
    const found = namesFirstGroup(this.operation.name) ? [] : canariesIn(compared, sent, this.context.written);
    if (found.length > 0)
      this.reported(slot, `shows ${door} ${found.slice(0, 3).join(', ')}, which are words of another group`);
  }

  private reported(slot: PlacedSlot | undefined, what: string): void {
    this.wrong.push(`${this.operation.name}${slot === undefined ? '' : ` (${slot.name})`} ${what}.`);
  }
}
