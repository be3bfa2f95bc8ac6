/** Prints a line, or several lines in one write. */
export type Print = (line: string) => void;
