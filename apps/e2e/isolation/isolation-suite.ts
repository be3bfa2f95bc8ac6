import { rmSync } from 'node:fs';
import { Credentials } from './credentials';
import type { SuiteContext } from './differential';
import { fingerprint, groupTables, type Table } from './evidence';
import { Installation } from './installation';
import { FOLDERS } from './kinds';
import { type Operation, operationsOf } from './operations';
import { FixturePool } from './fixture-pool';
import { mayChangeOthers } from './refusals';
import { populate } from './tenants';
import { OperationCheck, type CheckResult } from './operation-check';
import { toolsOf } from './tools';
import { workOf } from './work';

/** Mails are written within this time after the answer. */
const QUIET_MS = 3_000;

/** A started installation with two groups, and all its operations. */
export class IsolationSuite {
  private constructor(
    readonly context: SuiteContext,
    private readonly tables: readonly Table[],
    readonly operations: readonly Operation[],
  ) {}

  static async open(): Promise<IsolationSuite> {
    const installation = await Installation.start();
    try {
      const tenants = await populate(installation);
      const fixtures = new FixturePool(installation, tenants);
      const credentials = new Credentials(installation, tenants.ownGroup);
      const context = { installation, tenants, fixtures, credentials, written: new Set<string>() };
      const tables = await groupTables(installation);
      const operations = [
        ...operationsOf(installation),
        ...workOf(installation, tables),
        ...(await toolsOf(installation, credentials)),
      ];
      return new IsolationSuite(context, tables, operations);
    } catch (error) {
      await installation.stop();
      throw error;
    }
  }

  get installation(): Installation {
    return this.context.installation;
  }

  /** Tries operations; returns everything that crossed, and the number of checks. */
  async tryAll(
    operations: readonly Operation[],
    tryOne = (operation: Operation): Promise<CheckResult> => this.tryOne(operation),
  ): Promise<CheckResult> {
    // Background work for the other group must end before the next operation is measured.
    const inOrder = operations.toSorted(
      (one, next) => Number(mayChangeOthers(one.name)) - Number(mayChangeOthers(next.name)),
    );
    const sum = { wrong: [] as string[], pairs: 0, controls: 0 };
    for (const operation of inOrder) {
      const { wrong, pairs, controls } = await tryOne(operation);
      sum.wrong.push(...wrong);
      sum.pairs += pairs;
      sum.controls += controls;
    }
    if (operations.some(({ name }) => mayChangeOthers(name))) await this.quiet();
    return sum;
  }

  /** Waits until nothing changes in the other group. */
  private async quiet(): Promise<void> {
    const print = (): Promise<string> =>
      fingerprint(this.installation, this.tables, this.context.tenants.other.groupId).then((found) =>
        JSON.stringify(found),
      );
    for (let [before, now] = ['', await print()]; before !== now; [before, now] = [now, await print()])
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }

  /** @param enough stops after this number of violations */
  async tryOne(operation: Operation, enough?: number): Promise<CheckResult> {
    try {
      return await new OperationCheck(this.context, this.tables, operation).run(enough);
    } catch (error) {
      return { wrong: [`${operation.name}: ${String(error)}`], pairs: 0, controls: 0 };
    }
  }

  async close(): Promise<void> {
    await this.installation.stop();
    rmSync(FOLDERS, { recursive: true, force: true });
  }
}
