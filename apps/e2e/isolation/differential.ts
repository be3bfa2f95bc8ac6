import { CATALOGUE_ROLE } from '@acervo/platform-database';
import type { Credentials, Door } from './credentials';
import { wordsIn } from './canaries';
import { type TenantFixture, writeFixtures, writeFactor, unusedFixture } from './tenant-fixture';
import type { Installation } from './installation';
import { isGivenAlways, type Kind, kindOf } from './kinds';
import type { Operation, PlacedSlot, Received, Values } from './operations';
import type { FixturePool } from './fixture-pool';
import type { Group, Tenants } from './tenants';

/** The value of a slot, from a fixture of a group. */
const valueOf = (kind: Kind, fixture: TenantFixture, group: Group): unknown => {
  if ('names' in kind) return kind.names(fixture, group);
  if ('makes' in kind) return kind.makes(fixture);
  if ('isText' in kind) return fixture.word;
  return typeof kind.value === 'function' ? (kind.value as (of: TenantFixture) => unknown)(fixture) : kind.value;
};

/** A caller with its fixture. */
interface Asker {
  readonly fixture: TenantFixture;
  readonly group: Group;
}

export interface SuiteContext {
  readonly installation: Installation;
  readonly tenants: Tenants;
  readonly fixtures: FixturePool;
  readonly credentials: Credentials;
  /**
   * Words of the other group that the caller has written as a code or an address; they belong to both groups from then
   * on.
   */
  readonly written: Set<string>;
}

/** The caller, a fixture that it may not see, and one that does not exist. */
export interface Prepared {
  readonly asker: Asker;
  readonly hidden: Asker;
  readonly nothing: Asker;
}

export interface Timed {
  /** Duration in milliseconds. */
  readonly took: number;
  readonly status: string;
}

export interface Pair {
  readonly real: Received;
  readonly random: Received;
  readonly alike: boolean;
}

const TOUCHES_CATALOGUE = /funciones|functions|aplicaciones|application/;

/** Pairs of searches that are tried until both answers of one have both legs. */
const MOST_TURNS = 20;

/** Operations that answer a question: its text is a search, although they store it. */
const ASKS = /(v1\/ask|mensajes\/stream|conversations\.ask)$/;

/**
 * Operations that number what they create, and those that gather the documents of a space again: their answers differ in
 * numbers, in times and in the criteria that were sent.
 */
const NUMBERS = /(spaces[./](create|set_criteria|refresh|compose|:space_id\/refresh)|conversations\.store_answer)$/;
const NUMBERS_AND_TIMES =
  /"(space_id|conversation_id|(?:user_)?message_id|id_mensaje_\w+|criteria|\w+_at)":("[^"]*"|\d+|\{[^}]*\})/g;

/** Operations that a bound on the number of types, categories or features may refuse. */
const ADDS_TYPES = /^document_types\.(create|add_category|add_feature)$/;

/** An operation that a bound on the number of definitions may refuse. */
const ADDS_DEFINITIONS = /^group_processes\.create$/;

/** A draft names the types that most documents have. */
const COUNTS_TYPES = /organization[./]draft$/;

/** The list of all users refuses what its bound would leave out. */
const LISTS_ALL_USERS = /^users\.list_all$/;

/** A view of a function, as its checked parse tree: select f.code from auth.published_function f. */
const VIEW = {
  SelectStmt: {
    targetList: [
      { ResTarget: { val: { ColumnRef: { fields: [{ String: { sval: 'f' } }, { String: { sval: 'code' } }] } } } },
    ],
    fromClause: [
      {
        RangeVar: {
          schemaname: 'auth',
          relname: 'published_function',
          inh: true,
          relpersistence: 'p',
          alias: { aliasname: 'f' },
        },
      },
    ],
    limitOption: 'LIMIT_OPTION_DEFAULT',
    op: 'SETOP_NONE',
  },
};

/** Restores the catalogue of the product, with one function, its view and one application for checks. */
const restoreCatalogue = (installation: Installation): Promise<void> =>
  installation.login(CATALOGUE_ROLE).ungrouped(async (tx) => {
    await tx.query(`delete from auth.global_function where code in ('ZZ_NEW', 'ZZ_TEST')`);
    await tx.query(`insert into auth.global_function (code, name) values ('ZZ_TEST', 'Test')`);
    await tx.query(`insert into auth.global_function_view (function_code, tree) values ('ZZ_TEST', $1::jsonb)`, [
      JSON.stringify(VIEW),
    ]);
    await tx.query(`insert into auth.global_application (code, name) values ('ZZ_APP', 'Test') on conflict do nothing`);
    await tx.query(
      `insert into auth.global_function_application (function_code, application_code) values ('DOCUMENTS', 'WEB') on conflict do nothing`,
    );
  });

/** Sends one operation in all variants that would show a crossing between groups. */
export class Differential {
  private readonly kinds: ReadonlyMap<PlacedSlot, Kind>;

  /** @throws for an unknown field, with the declaration that it needs */
  constructor(
    private readonly context: SuiteContext,
    readonly operation: Operation,
  ) {
    this.kinds = new Map(operation.slots.map((slot) => [slot, kindOf(operation.name, slot)]));
  }

  /** The slots that accept something of another group. */
  get tried(): readonly PlacedSlot[] {
    return this.operation.slots.filter((slot) => {
      const kind = this.kindOf(slot);
      return 'names' in kind || 'makes' in kind || ('isText' in kind && this.searches);
    });
  }

  /** Whether the texts that it takes are looked for. */
  private get searches(): boolean {
    const { name, writes } = this.operation;
    return !writes || ASKS.test(name);
  }

  /** Writes the rows of one check before any request, so that later changes are effects of requests. */
  async prepare(slot: PlacedSlot | undefined): Promise<Prepared> {
    const { installation, tenants, fixtures } = this.context;
    if (ADDS_TYPES.test(this.operation.name)) await fixtures.clearTypes();
    if (ADDS_DEFINITIONS.test(this.operation.name)) await fixtures.clearDefinitions();
    if (COUNTS_TYPES.test(this.operation.name)) await fixtures.endClassification();
    if (LISTS_ALL_USERS.test(this.operation.name)) await fixtures.clearUsers();
    const [ownAnswer, hidden] = [
      await fixtures.ownFixture(),
      slot === undefined ? unusedFixture() : await fixtures.hidden(),
    ];
    const { name, slots } = this.operation;
    if (slots.some(({ path }) => path.includes('factor_id')) || name.endsWith('enroll')) {
      for (const group of [tenants.other, tenants.ownGroup]) await writeFactor(installation, group, ownAnswer);
      if (slot !== undefined) await writeFactor(installation, tenants.other, hidden);
    }
    for (const group of [tenants.other, tenants.ownGroup]) await this.operation.ready?.(group, ownAnswer);
    if (slot !== undefined) await this.operation.ready?.(tenants.other, hidden);
    if (TOUCHES_CATALOGUE.test(name)) await restoreCatalogue(installation);
    return {
      asker: { fixture: ownAnswer, group: tenants.ownGroup },
      hidden: { fixture: hidden, group: tenants.other },
      nothing: { fixture: unusedFixture(), group: { ...tenants.other, code: 'G7' } },
    };
  }

  /** Returns the fixtures of a check that changed none of them. */
  giveBack({ asker, hidden }: Prepared, slot: PlacedSlot | undefined): void {
    this.context.fixtures.giveBack({ own: asker.fixture, hidden: slot === undefined ? undefined : hidden.fixture });
  }

  /**
   * The answers to something of the other group and to something absent, in one slot, with one kind of authentication.
   */
  async pair({ asker, hidden, nothing }: Prepared, slot: PlacedSlot, door: Door): Promise<Pair> {
    const kind = this.kindOf(slot);
    // The same text is sent before and after the other group has it: different texts have different results.
    if ('isText' in kind) return this.comparable(slot, door, asker);
    const real = await this.send(asker, slot, door, hidden);
    const random = await this.send(asker, slot, door, nothing);
    this.note(real);
    // Two created things differ in their numbers and times.
    const alike = 'makes' in kind ? real.status === random.status : this.shown(real) === this.shown(random);
    return { real, random, alike };
  }

  /** Remembers the words that a write has stored for the caller. */
  private note({ succeeded, sent }: Received): void {
    if (this.operation.writes && succeeded) for (const word of wordsIn(sent)) this.context.written.add(word);
  }

  /** What an answer shows of what it is about. */
  private shown({ compared }: Received): string {
    const { name } = this.operation;
    return NUMBERS.test(name) || ASKS.test(name) ? compared.replace(NUMBERS_AND_TIMES, '"$1":0') : compared;
  }

  /** Whether a slot takes free text. */
  isText(slot: PlacedSlot): boolean {
    return 'isText' in this.kindOf(slot);
  }

  /** Whether a slot names something of a group. */
  names(slot: PlacedSlot): boolean {
    return 'names' in this.kindOf(slot);
  }

  /** Duration of an answer about something of the other group, or about something absent, in milliseconds. */
  async time(prepared: Prepared, slot: PlacedSlot, door: Door, of: 'hidden' | 'nothing'): Promise<Timed> {
    const instead = of === 'hidden' ? prepared.hidden : prepared.nothing;
    const started = performance.now();
    const { status } = await this.send(prepared.asker, slot, door, instead);
    return { took: performance.now() - started, status };
  }

  /** The answer about the caller's fixture, while the other group has the same identifiers. */
  ownAnswer({ asker }: Prepared, slot: PlacedSlot | undefined, door: Door): Promise<Received> {
    return this.send(asker, slot, door, asker);
  }

  /** A pair of which both answers have both legs: without one that was late, answers differ whatever others have. */
  private async comparable(slot: PlacedSlot, door: Door, asker: Asker): Promise<Pair> {
    const { installation } = this.context;
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      const before = installation.searchesWithoutLeg;
      const pair = await this.compare(slot, door, asker);
      if (installation.searchesWithoutLeg === before) return pair;
    }
    throw new Error('Searches leave a leg out all the time.');
  }

  private async compare(slot: PlacedSlot, door: Door, asker: Asker): Promise<Pair> {
    const { installation, tenants } = this.context;
    const fixture = { ...unusedFixture(), word: unusedFixture().word.replace('zqc', 'zqb') };
    const random = await this.send(asker, slot, door, { fixture, group: tenants.other });
    await writeFixtures(installation, [tenants.other], [fixture]);
    const real = await this.send(asker, slot, door, { fixture, group: tenants.other });
    this.note(real);
    return { real, random, alike: this.shown(real) === this.shown(random) };
  }

  private async send(asker: Asker, slot: PlacedSlot | undefined, door: Door, instead: Asker): Promise<Received> {
    const { installation, credentials } = this.context;
    if (door === 'nobody') await installation.as('auth').ungrouped((tx) => tx.query('delete from auth.rate_count'));
    return this.operation.ask(this.valuesFor(asker, slot, instead), door, credentials);
  }

  /** All required values, the slot in question, and the values that it requires. */
  private valuesFor(asker: Asker, slot: PlacedSlot | undefined, instead: Asker): Values {
    const kind = slot && this.kindOf(slot);
    const companions = kind !== undefined && 'names' in kind ? (kind.with ?? []) : [];
    const wanted = this.operation.slots.filter(
      (each) => each.required || each === slot || isGivenAlways(each) || companions.includes(String(each.path.at(-1))),
    );
    const nothing = unusedFixture();
    return new Map(
      wanted.map((each) => {
        const made = 'makes' in this.kindOf(each) && (each !== slot || instead === asker);
        const from = each === slot ? instead : asker;
        const value = valueOf(this.kindOf(each), made ? nothing : from.fixture, from.group);
        return [each, each.list ? [value] : value];
      }),
    );
  }

  private kindOf(slot: PlacedSlot): Kind {
    return this.kinds.get(slot) ?? { isText: true };
  }
}
