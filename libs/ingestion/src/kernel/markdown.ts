/** A line of text that Markdown does not take for structure or markup, HTML included. */
export const markdownLine = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~]/g, (sign) => `\\${sign}`)
    .replace(/^([-+=]|\d+[.)])/, '\\$1');
