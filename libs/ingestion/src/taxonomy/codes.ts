import { TaxonomyRefused } from './taxonomy.errors';

/** @throws TaxonomyRefused for a code with a comma: filters separate codes by commas. */
export const assertSeparable = (code: string): void => {
  if (code.includes(',')) throw new TaxonomyRefused('CODE_WITH_COMMA', 'code');
};
