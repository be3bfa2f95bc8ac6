import type { Evidence } from '../classified';
import type { DocumentReading } from '../reading';
import type { BoundaryRule } from '../../taxonomy/taxonomy';
import { CompiledRule } from './compiled-rule';

/** The rules of a type: all `REQUIRES` and no `EXCLUDES`. */
export class CompiledBoundary {
  private readonly required: readonly CompiledRule[];
  private readonly excluded: readonly CompiledRule[];

  /** @throws RuleUnusable */
  constructor(rules: readonly BoundaryRule[]) {
    const compiled = rules.map((rule) => new CompiledRule(rule)).toSorted((a, b) => a.cost - b.cost);
    this.required = compiled.filter(({ rule }) => rule.effect === 'REQUIRES');
    this.excluded = compiled.filter(({ rule }) => rule.effect === 'EXCLUDES');
  }

  /** Rules that a document meets decide its type. */
  get decides(): boolean {
    return this.required.length > 0;
  }

  admits(reading: DocumentReading): boolean {
    return this.required.every((rule) => rule.matches(reading)) && !this.excluded.some((rule) => rule.matches(reading));
  }

  /** What the required rules found in the text of a document that they admit. */
  evidence(reading: DocumentReading): readonly Evidence[] {
    return this.required
      .flatMap((rule) => rule.range(reading) ?? [])
      .map(({ start, end }) => reading.evidence(start, end));
  }
}
