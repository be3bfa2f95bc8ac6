import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { decode, fieldsOf, InvalidInput, NotFound } from '@acervo/contracts';
import { UnreadBody } from './body';

/**
 * A code in a path that has no possible shape names nothing: the answer is that of any code that does not exist. A
 * number is another matter, since its shape is published.
 */
const decodePath = (type: Type<object>, value: unknown): object => {
  try {
    return decode(type, value, { closed: true, query: true });
  } catch (error) {
    const numbers = fieldsOf(type).every(({ fromText }) => fromText === 'integer');
    throw error instanceof InvalidInput && !numbers ? new NotFound() : error;
  }
};

/** Reads every declared input closed: unknown names are refused at each depth and never repeated. */
export class ClosedPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (value instanceof UnreadBody) throw value.error;
    if (metatype === undefined || type === 'custom') return value;
    const input = metatype as Type<object>;
    if (fieldsOf(input).length === 0) return value;
    if (type === 'param') return decodePath(input, value);
    // A body that may lack every field may lack itself.
    const mayLack = type === 'body' && value === undefined && fieldsOf(input).every(({ optional }) => optional);
    return decode(input, mayLack ? {} : value, { closed: true, query: type === 'query' });
  }
}

/** Reads a body that is a list: at most `most` elements, each read closed like a body of its own. */
export class ClosedListPipe<T extends object> implements PipeTransform<unknown, T[]> {
  constructor(
    private readonly type: Type<T>,
    private readonly most: number,
  ) {}

  transform(value: unknown): T[] {
    if (!Array.isArray(value) || value.length > this.most)
      throw new InvalidInput({ missing: [], invalid: [], unknown: 0 });
    return value.map((item: unknown) => decode(this.type, item, { closed: true }));
  }
}
