import { SSF } from '@e965/xlsx';
import type { RareFormats } from '../number-format';

/** The part of the library in use here; its own types leave it open. */
interface Formatter {
  format(code: string, value: number): string;
}

const formatter: Formatter = SSF as Formatter;

/** A code that the library refuses gives '', so that the cell has its plain number. */
export const rareFormats: RareFormats = (code, value) => {
  try {
    return formatter.format(code, value);
  } catch {
    return '';
  }
};
