import type { Batch } from './batch';
import { type Statement, UNKNOWN } from './statement';

/** A batch with the texts that it runs. */
export interface Resolved extends Batch {
  readonly statements: readonly Statement[];
  /** Statements that it closes, if it does not fail. */
  readonly closes: readonly string[];
}

/**
 * The prepared statements of a connection. Resolves which texts a batch runs, in the order in which batches run: a name
 * that may mean two texts means neither.
 */
export class PreparedStatements {
  private readonly byName = new Map<string, Statement>();

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  resolve(batch: Batch): Resolved {
    const statements: Statement[] = [];
    const closes = new Set<string>();
    const bound = new Set<string>();
    let unnamed = UNKNOWN;
    for (const step of batch.steps) {
      if (step.kind === 'text') statements.push(step.statement);
      else if (step.kind === 'unknown') statements.push(UNKNOWN);
      else if (step.kind === 'execute') statements.push(...(bound.has(step.portal) ? [] : [UNKNOWN]));
      else if (step.kind === 'close') this.close(step.name, closes);
      else if (step.kind === 'bind') {
        bound.add(step.portal);
        statements.push(step.name === '' ? unnamed : (this.byName.get(step.name) ?? UNKNOWN));
      } else {
        if (step.name === '') unnamed = step.statement;
        else this.parse(step.name, step.statement, closes);
        statements.push(step.statement);
      }
    }
    return { ...batch, statements: [...new Set(statements)], closes: [...closes] };
  }

  /** Forgets the statements that a batch closed. After an error they may exist still. */
  settle({ closes }: Resolved, failed: boolean): void {
    if (!failed) for (const name of closes) this.byName.delete(name);
  }

  private parse(name: string, statement: Statement, closes: Set<string>): void {
    closes.delete(name);
    const before = this.byName.get(name);
    this.byName.set(name, before === undefined || before === statement ? statement : UNKNOWN);
  }

  private close(name: string, closes: Set<string>): void {
    if (!this.byName.has(name)) return;
    this.byName.set(name, UNKNOWN);
    closes.add(name);
  }
}
