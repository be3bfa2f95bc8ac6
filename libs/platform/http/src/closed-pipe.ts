import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { decode, fieldsOf, InvalidInput, NotFound } from '@acervo/contracts';
import { UnreadBody } from './body';

/**
 * A malformed code in a path gets the answer of an unknown code. A malformed number is reported, since its shape is
 * published.
 */
const decodePath = (type: Type<object>, value: unknown): object => {
  try {
    return decode(type, value, { closed: true, query: true });
  } catch (error) {
    const numbers = fieldsOf(type).every(({ fromText }) => fromText === 'integer');
    throw error instanceof InvalidInput && !numbers ? new NotFound() : error;
  }
};

/** Decodes every declared input strictly: unknown names are refused at each depth and never repeated. */
@Injectable()
export class ClosedPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (value instanceof UnreadBody) throw value.error;
    if (metatype === undefined || type === 'custom') return value;
    const input = metatype as Type<object>;
    if (fieldsOf(input).length === 0) return value;
    if (type === 'param') return decodePath(input, value);
    // A body whose fields are all optional is optional itself.
    const mayLack = type === 'body' && value === undefined && fieldsOf(input).every(({ optional }) => optional);
    return decode(input, mayLack ? {} : value, { closed: true, query: type === 'query' });
  }
}

/** Decodes a body that is a list: at most `most` elements, each decoded strictly. */
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
