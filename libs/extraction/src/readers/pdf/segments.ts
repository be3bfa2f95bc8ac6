/**
 * A run of characters on one base line, without a wide gap, in the order of the file. Positions in points, downwards.
 */
export interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Its base line. */
  readonly base: number;
  readonly size: number;
  readonly bold: boolean;
  /** Position of its first character in the file. */
  readonly order: number;
}

/** The top of a segment, from its base line and size, because boxes differ from font to font. */
export const topOf = ({ base, size }: Segment): number => base - 0.75 * size;
export const bottomOf = ({ base, size }: Segment): number => base + 0.25 * size;

/** Segments with one reading direction, and the page as rotated for it. */
export interface Layer {
  readonly segments: readonly Segment[];
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
