import { until } from '../harness/waiting';
import { type TenantFixture, inWordsOf, writeFixtures, unusedFixture } from './tenant-fixture';
import type { Installation } from './installation';
import type { Tenants } from './tenants';

const BATCH = 40;

/** A pool of fixtures, written in batches. */
export class FixturePool {
  private readonly hiddenOnes: TenantFixture[] = [];
  private readonly ownOnes: TenantFixture[] = [];
  private readonly writtenUsers: string[] = [];

  constructor(
    private readonly installation: Installation,
    private readonly tenants: Tenants,
  ) {}

  /** A fixture that only the other group has. */
  async hidden(): Promise<TenantFixture> {
    const { other } = this.tenants;
    if (this.hiddenOnes.length === 0) {
      const made = this.unusedFixture();
      await writeFixtures(this.installation, [other], made);
      this.hiddenOnes.push(...made.map((each) => inWordsOf(each, other)));
    }
    return this.takeFrom(this.hiddenOnes);
  }

  /** A fixture of the calling group; the other group has its twin, written before it. */
  async ownFixture(): Promise<TenantFixture> {
    const { other, ownGroup } = this.tenants;
    if (this.ownOnes.length === 0) {
      const made = this.unusedFixture();
      await writeFixtures(this.installation, [other, ownGroup], made);
      this.ownOnes.push(...made.map((each) => inWordsOf(each, ownGroup)));
    }
    return this.takeFrom(this.ownOnes);
  }

  /** Takes fixtures back that no request has changed. */
  giveBack({ own, hidden }: { readonly own: TenantFixture; readonly hidden: TenantFixture | undefined }): void {
    this.ownOnes.push(own);
    if (hidden !== undefined) this.hiddenOnes.push(hidden);
  }

  /** Deletes the document types of the calling group, whose number is bounded, except those of the pool. */
  async clearTypes(): Promise<void> {
    const unused = this.ownOnes.flatMap(({ documentType, emptyType }) => [documentType, emptyType]);
    await this.installation
      .owner('ingestion')
      .write(this.tenants.ownGroup, (tx) =>
        tx.query('delete from ingestion.document_type where group_id = $1 and code <> all($2)', [tx.groupId, unused]),
      );
  }

  /** Deletes the definitions of the asking group, whose number is bounded, except those of the pool. */
  async clearDefinitions(): Promise<void> {
    const unused = this.ownOnes.flatMap(({ groupProcess }) => [groupProcess, `by-type-${groupProcess}`]);
    await this.installation
      .owner('operations')
      .write(this.tenants.ownGroup, (tx) =>
        tx.query('delete from operations.group_process where group_id = $1 and code <> all($2)', [tx.groupId, unused]),
      );
  }

  /** Deletes the users of both groups, whose number a list bounds, except those of the pool. */
  async clearUsers(): Promise<void> {
    const { other, ownGroup } = this.tenants;
    const unused = new Set([...this.ownOnes, ...this.hiddenOnes].map(({ ids }) => ids.user));
    const users = this.writtenUsers.splice(0).filter((user) => !unused.has(user));
    this.writtenUsers.push(...unused);
    for (const group of [other, ownGroup])
      await this.installation
        .owner('auth')
        .write(group, (tx) =>
          tx.query('delete from auth.app_user where group_id = $1 and user_id = any($2::uuid[])', [tx.groupId, users]),
        );
  }

  /** Ends the rounds in which the calling group classifies its documents again, begun by earlier checks of types. */
  endClassification(): Promise<void> {
    const ofGroup = `group_id = $1 and stage = 'classify-again'`;
    const endWaiting = (): Promise<readonly unknown[]> =>
      this.installation.owner('ingestion').write(this.tenants.ownGroup, async (tx) => {
        await tx.query(`delete from ingestion.task where ${ofGroup} and status <> 'LEASED'`, [tx.groupId]);
        return tx.query(`select from ingestion.task where ${ofGroup}`, [tx.groupId]);
      });
    return until('no round classifies documents', async () => (await endWaiting()).length === 0);
  }

  private unusedFixture(): TenantFixture[] {
    const made = Array.from({ length: BATCH }, unusedFixture);
    this.writtenUsers.push(...made.map(({ ids }) => ids.user));
    return made;
  }

  private takeFrom(from: TenantFixture[]): TenantFixture {
    const fixture = from.pop();
    if (fixture === undefined) throw new Error('The store is empty.');
    return fixture;
  }
}
