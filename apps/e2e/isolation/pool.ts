import { type Household, inWordsOf, settle, strangers } from './household';
import type { Installation } from './installation';
import type { Tenants } from './tenants';

const BATCH = 40;

/** A pool of households, written in batches. */
export class Households {
  private readonly hiddenOnes: Household[] = [];
  private readonly ownOnes: Household[] = [];

  constructor(
    private readonly installation: Installation,
    private readonly tenants: Tenants,
  ) {}

  /** A household that only the other group has. */
  async hidden(): Promise<Household> {
    const { other } = this.tenants;
    if (this.hiddenOnes.length === 0) {
      const made = Array.from({ length: BATCH }, strangers);
      await settle(this.installation, [other], made);
      this.hiddenOnes.push(...made.map((each) => inWordsOf(each, other)));
    }
    return this.takeFrom(this.hiddenOnes);
  }

  /** A household of the calling group; the other group has its twin, written before it. */
  async ownHousehold(): Promise<Household> {
    const { other, ownGroup: ownHousehold } = this.tenants;
    if (this.ownOnes.length === 0) {
      const made = Array.from({ length: BATCH }, strangers);
      await settle(this.installation, [other, ownHousehold], made);
      this.ownOnes.push(...made.map((each) => inWordsOf(each, ownHousehold)));
    }
    return this.takeFrom(this.ownOnes);
  }

  private takeFrom(from: Household[]): Household {
    const household = from.pop();
    if (household === undefined) throw new Error('The store is empty.');
    return household;
  }
}
