import type { Type } from '@nestjs/common';
import { InvalidInput } from '../errors';
import { fieldsOf } from './registry';

/** The error of an owner for callers of the public representation: owners name fields by their wire names. */
export const publicError = (input: Type, error: unknown): unknown => {
  if (!(error instanceof InvalidInput)) return error;
  const names = new Map(fieldsOf(input).map(({ wire, publicName }) => [wire, publicName]));
  const codes = (list: unknown): string[] =>
    Array.isArray(list) ? list.flatMap((wire: string) => names.get(wire) ?? []) : [];
  const { missing_fields: missing, invalid_fields: invalid } = error.details;
  return new InvalidInput({ missing: codes(missing), invalid: codes(invalid), unknown: 0 });
};
