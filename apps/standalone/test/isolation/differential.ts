import { CATALOGUE_ROLE } from '@acervo/platform-database';
import type { Credentials, Door } from './credentials';
import { wordsIn } from './evidence';
import { type Household, settle, settleFactor, strangers } from './household';
import type { Installation } from './installation';
import { isGivenAlways, type Kind, kindOf } from './kinds';
import type { Operation, PlacedSlot, Received, Values } from './operations';
import type { Households } from './pool';
import type { Group, Tenants } from './tenants';

/** A value for a slot, from a household of a group. */
const valueOf = (kind: Kind, household: Household, group: Group): unknown => {
  if ('names' in kind) return kind.names(household, group);
  if ('makes' in kind) return kind.makes(household);
  if ('says' in kind) return household.word;
  return typeof kind.holds === 'function' ? (kind.holds as (of: Household) => unknown)(household) : kind.holds;
};

/** Somebody who asks, with what it has. */
interface Asker {
  readonly household: Household;
  readonly group: Group;
}

export interface Ground {
  readonly installation: Installation;
  readonly tenants: Tenants;
  readonly households: Households;
  readonly credentials: Credentials;
  /** Words of the other group that the one that asks has written itself, as a code or an address: its own from then on. */
  readonly written: Set<string>;
}

/** Who asks, what it may not see, and what does not exist. */
export interface Prepared {
  readonly asker: Asker;
  readonly hidden: Asker;
  readonly nothing: Asker;
}

export interface Timed {
  /** Milliseconds. */
  readonly took: number;
  readonly status: string;
}

export interface Pair {
  readonly real: Received;
  readonly random: Received;
  readonly alike: boolean;
}

const TOUCHES_CATALOGUE = /funciones|functions|aplicaciones|application/;

/** The catalogue of the product as it was, with a function and an application to try things on. */
const restoreCatalogue = (installation: Installation): Promise<void> =>
  installation.login(CATALOGUE_ROLE).ungrouped(async (tx) => {
    await tx.query(`delete from auth.global_function where code in ('ZZ_NEW', 'ZZ_TEST')`);
    await tx.query(`insert into auth.global_function (code, name) values ('ZZ_TEST', 'Test')`);
    await tx.query(`insert into auth.global_application (code, name) values ('ZZ_APP', 'Test') on conflict do nothing`);
    await tx.query(
      `insert into auth.global_function_application (function_code, application_code) values ('DOCUMENTS', 'WEB') on conflict do nothing`,
    );
  });

/** Asks one operation in the ways that tell whether anything crosses. */
export class Differential {
  private readonly kinds: ReadonlyMap<PlacedSlot, Kind>;

  /** @throws for a field that nobody knows, saying what to declare. */
  constructor(
    private readonly ground: Ground,
    readonly operation: Operation,
  ) {
    this.kinds = new Map(operation.slots.map((slot) => [slot, kindOf(operation.name, slot)]));
  }

  /** The slots that can be tried with something of another group. */
  get tried(): readonly PlacedSlot[] {
    return this.operation.slots.filter((slot) => {
      const kind = this.kindOf(slot);
      return 'names' in kind || 'makes' in kind || ('says' in kind && !this.operation.writes);
    });
  }

  /** What one try needs: written before anything is asked, so that what changes then was changed by asking. */
  async prepare(slot: PlacedSlot | undefined): Promise<Prepared> {
    const { installation, tenants, households } = this.ground;
    const [own, hidden] = [await households.own(), slot === undefined ? strangers() : await households.hidden()];
    const { name, slots } = this.operation;
    if (slots.some(({ path }) => path.includes('factor_id')) || name.endsWith('enroll')) {
      for (const group of [tenants.other, tenants.own]) await settleFactor(installation, group, own);
      if (slot !== undefined) await settleFactor(installation, tenants.other, hidden);
    }
    for (const group of [tenants.other, tenants.own]) await this.operation.ready?.(group, own);
    if (slot !== undefined) await this.operation.ready?.(tenants.other, hidden);
    if (TOUCHES_CATALOGUE.test(name)) await restoreCatalogue(installation);
    return {
      asker: { household: own, group: tenants.own },
      hidden: { household: hidden, group: tenants.other },
      nothing: { household: strangers(), group: { ...tenants.other, code: 'G7' } },
    };
  }

  /** The answers to something of the other group and to nothing at all, in one slot, by one door. */
  async pair({ asker, hidden, nothing }: Prepared, slot: PlacedSlot, door: Door): Promise<Pair> {
    const kind = this.kindOf(slot);
    // What is said is compared with itself, before and after the other group has it: other words find other things.
    if ('says' in kind) return this.said(slot, door, asker);
    const real = await this.send(asker, slot, door, hidden);
    const random = await this.send(asker, slot, door, nothing);
    if (this.operation.writes && real.succeeded) for (const word of wordsIn(real.sent)) this.ground.written.add(word);
    // Two things that were newly made differ in the numbers and times that they were given.
    return { real, random, alike: 'makes' in kind ? real.status === random.status : real.compared === random.compared };
  }

  /** Whether a slot names something that a group has. */
  names(slot: PlacedSlot): boolean {
    return 'names' in this.kindOf(slot);
  }

  /** How long an answer takes to what another group has, or to nothing, in milliseconds. */
  async time(prepared: Prepared, slot: PlacedSlot, door: Door, of: 'hidden' | 'nothing'): Promise<Timed> {
    const instead = of === 'hidden' ? prepared.hidden : prepared.nothing;
    const started = performance.now();
    const { status } = await this.send(prepared.asker, slot, door, instead);
    return { took: performance.now() - started, status };
  }

  /** The answer to what is the asker's own, while another group has the same identifiers. */
  own({ asker }: Prepared, slot: PlacedSlot | undefined, door: Door): Promise<Received> {
    return this.send(asker, slot, door, asker);
  }

  private async said(slot: PlacedSlot, door: Door, asker: Asker): Promise<Pair> {
    const { installation, tenants } = this.ground;
    const household = { ...strangers(), word: strangers().word.replace('zqc', 'zqb') };
    const random = await this.send(asker, slot, door, { household, group: tenants.other });
    await settle(installation, [tenants.other], [household]);
    const real = await this.send(asker, slot, door, { household, group: tenants.other });
    return { real, random, alike: real.compared === random.compared };
  }

  private async send(asker: Asker, slot: PlacedSlot | undefined, door: Door, instead: Asker): Promise<Received> {
    const { installation, credentials } = this.ground;
    if (door === 'nobody') await installation.as('auth').ungrouped((tx) => tx.query('delete from auth.rate_count'));
    return this.operation.ask(this.valuesFor(asker, slot, instead), door, credentials);
  }

  /** Everything that is required, the slot in question, and what has to come with it. */
  private valuesFor(asker: Asker, slot: PlacedSlot | undefined, instead: Asker): Values {
    const kind = slot && this.kindOf(slot);
    const companions = kind !== undefined && 'names' in kind ? (kind.with ?? []) : [];
    const wanted = this.operation.slots.filter(
      (each) => each.required || each === slot || isGivenAlways(each) || companions.includes(String(each.path.at(-1))),
    );
    const nothing = strangers();
    return new Map(
      wanted.map((each) => {
        const made = 'makes' in this.kindOf(each) && (each !== slot || instead === asker);
        const from = each === slot ? instead : asker;
        const value = valueOf(this.kindOf(each), made ? nothing : from.household, from.group);
        return [each, each.list ? [value] : value];
      }),
    );
  }

  private kindOf(slot: PlacedSlot): Kind {
    return this.kinds.get(slot) ?? { says: true };
  }
}
