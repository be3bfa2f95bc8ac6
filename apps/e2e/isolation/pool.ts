import { type Household, inWordsOf, settle, strangers } from './household';
import type { Installation } from './installation';
import type { Tenants } from './tenants';

const BATCH = 40;

/** A pool of households, written in batches. */
export class Households {
  private readonly hiddenOnes: Household[] = [];
  private readonly ownOnes: Household[] = [];
  private readonly settledUsers: string[] = [];

  constructor(
    private readonly installation: Installation,
    private readonly tenants: Tenants,
  ) {}

  /** A household that only the other group has. */
  async hidden(): Promise<Household> {
    const { other } = this.tenants;
    if (this.hiddenOnes.length === 0) {
      const made = this.strangers();
      await settle(this.installation, [other], made);
      this.hiddenOnes.push(...made.map((each) => inWordsOf(each, other)));
    }
    return this.takeFrom(this.hiddenOnes);
  }

  /** A household of the calling group; the other group has its twin, written before it. */
  async ownHousehold(): Promise<Household> {
    const { other, ownGroup: ownHousehold } = this.tenants;
    if (this.ownOnes.length === 0) {
      const made = this.strangers();
      await settle(this.installation, [other, ownHousehold], made);
      this.ownOnes.push(...made.map((each) => inWordsOf(each, ownHousehold)));
    }
    return this.takeFrom(this.ownOnes);
  }

  /**
   * Deletes the document types of the calling group, whose number is bounded, and forgets the households that had them.
   */
  async clearTypes(): Promise<void> {
    this.ownOnes.length = 0;
    await this.installation
      .owner('ingestion')
      .write(this.tenants.ownGroup, (tx) =>
        tx.query('delete from ingestion.document_type where group_id = $1', [tx.groupId]),
      );
  }

  /** Deletes the users of both groups, whose number a list bounds, and forgets the households that had them. */
  async clearUsers(): Promise<void> {
    const { other, ownGroup } = this.tenants;
    const users = [...this.settledUsers];
    for (const households of [this.ownOnes, this.hiddenOnes, this.settledUsers]) households.length = 0;
    for (const group of [other, ownGroup])
      await this.installation
        .owner('auth')
        .write(group, (tx) =>
          tx.query('delete from auth.app_user where group_id = $1 and user_id = any($2::uuid[])', [tx.groupId, users]),
        );
  }

  private strangers(): Household[] {
    const made = Array.from({ length: BATCH }, strangers);
    this.settledUsers.push(...made.map(({ ids }) => ids.user));
    return made;
  }

  private takeFrom(from: Household[]): Household {
    const household = from.pop();
    if (household === undefined) throw new Error('The store is empty.');
    return household;
  }
}
