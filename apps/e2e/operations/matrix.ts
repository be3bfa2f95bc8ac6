import type { Schema } from './bounds';
import { identifiersIn } from './identifiers';

/** The aspects that the suite tries of each operation. */
export const aspects = [
  ...(['allowed', 'wrong profile', 'missing screen', 'missing field', 'unknown field', 'bounds'] as const),
  ...(['foreign identifier', 'preview', 'execute', 'repeat', 'audit record'] as const),
] as const;
export type Aspect = (typeof aspects)[number];

export interface Tried {
  readonly code: string;
  readonly kind: string;
  readonly lowestLevel: boolean;
  readonly schema: Schema;
}

/** Reason why an aspect does not apply; undefined if it applies. */
const excuseOf = (aspect: Aspect, { code, kind, lowestLevel, schema }: Tried): string | undefined => {
  const fields = Object.values(schema.properties);
  if (aspect === 'wrong profile' && lowestLevel) return 'the lowest level has it';
  if (aspect === 'missing field' && schema.required.length === 0 && fields.every(({ items }) => !items?.required))
    return 'no field is required';
  if (aspect === 'bounds' && fields.length === 0) return 'there is no field';
  if (aspect === 'foreign identifier' && identifiersIn(code).length === 0) return 'no field names anything';
  if (aspect === 'preview' && kind !== 'write_confirm') return 'it asks for no confirmation';
  return undefined;
};

/** Records the aspects that were tried per operation. An aspect without a record is a hole in the suite. */
export class Matrix {
  private readonly tried = new Set<string>();

  note(code: string, ...of: readonly Aspect[]): void {
    for (const aspect of of) this.tried.add(`${code}: ${aspect}`);
  }

  /** Applicable aspects without a trial, and trials of aspects that do not apply. */
  holes(operations: readonly Tried[]): string[] {
    return operations.flatMap((operation) =>
      aspects
        .filter((aspect) => {
          const wasTried = this.tried.has(`${operation.code}: ${aspect}`);
          return wasTried !== (excuseOf(aspect, operation) === undefined);
        })
        .map((aspect) => `${operation.code}: ${aspect}`),
    );
  }
}
