import { textOf } from '../../classification/classify-job';
import { cpuJob } from '../../cpu/cpu';
import { MOST_READ } from '../extraction/quotable';
import { type Slice, slicesOf } from './slices';

/** A slice with its text. */
export interface SlicedText extends Slice {
  readonly text: string;
}

/** Cuts what skills read of an extracted text into slices of at most `most` characters. */
export const SLICE_TEXT = cpuJob(
  'slice-text',
  ({ text, most }: { text: Uint8Array; most: number }): readonly SlicedText[] => {
    const read = textOf(text).text.slice(0, MOST_READ);
    return slicesOf(read, most).map(({ start, end }) => ({ start, end, text: read.slice(start, end) }));
  },
);
