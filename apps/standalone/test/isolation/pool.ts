import { type Household, inWordsOf, settle, strangers } from './household';
import type { Installation } from './installation';
import type { Tenants } from './tenants';

const BATCH = 40;

/** Households in store, written many at a time. */
export class Households {
  private readonly hiddenOnes: Household[] = [];
  private readonly ownOnes: Household[] = [];

  constructor(
    private readonly installation: Installation,
    private readonly tenants: Tenants,
  ) {}

  /** One that the other group alone has. */
  async hidden(): Promise<Household> {
    const { other } = this.tenants;
    if (this.hiddenOnes.length === 0) {
      const made = Array.from({ length: BATCH }, strangers);
      await settle(this.installation, [other], made);
      this.hiddenOnes.push(...made.map((each) => inWordsOf(each, other)));
    }
    return this.taken(this.hiddenOnes);
  }

  /** One of the group that asks; the other group has its twin, written before it. */
  async own(): Promise<Household> {
    const { other, own } = this.tenants;
    if (this.ownOnes.length === 0) {
      const made = Array.from({ length: BATCH }, strangers);
      await settle(this.installation, [other, own], made);
      this.ownOnes.push(...made.map((each) => inWordsOf(each, own)));
    }
    return this.taken(this.ownOnes);
  }

  private taken(from: Household[]): Household {
    const household = from.pop();
    if (household === undefined) throw new Error('The store is empty.');
    return household;
  }
}
