const QUOTES = /^>*/;
/** The line before a signature is never joined. */
const SIGNATURE = '-- ';

/** A line of a text with its depth of quotation, without the marks and the space that protects its beginning. */
const lineOf = (line: string): { readonly depth: number; readonly text: string } => {
  const depth = QUOTES.exec(line)?.[0].length ?? 0;
  return { depth, text: line.slice(depth).replace(/^ /, '') };
};

/**
 * The paragraphs of a text whose lines were broken for their transfer (`format=flowed`, RFC 3676): a line with a space at
 * its end continues on the next line of the same quotation.
 * @param isSpaceAdded the space was added to the line, as in words without spaces between them
 */
export const unflowed = (text: string, isSpaceAdded: boolean): string => {
  const lines: string[] = [];
  /** Depth of the paragraph that goes on; none otherwise. */
  let open: number | undefined;
  for (const line of text.split(/\r?\n/)) {
    const { depth, text: content } = lineOf(line);
    const isFlowing = content.endsWith(' ') && content !== SIGNATURE;
    const written = isFlowing && isSpaceAdded ? content.slice(0, -1) : content;
    if (open === depth && content !== SIGNATURE) lines.push(`${lines.pop() ?? ''}${written}`);
    else lines.push(depth === 0 ? written : `${'>'.repeat(depth)} ${written}`);
    open = isFlowing ? depth : undefined;
  }
  return lines.join('\n');
};
