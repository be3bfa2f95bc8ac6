// What is said of failed suites: short enough for the end of a log.
const COLUMNS = 160;
const LINES_PER_FAILURE = 12;
const ITEMS = 5;

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

export const withoutColours = (text) => text.replace(COLOURS, '');

/** Whether a line is an item of a printed array or object, whose value may have hundreds of them. */
const isItem = (line) => /^\s*[-+]?\s+("|\d|\{|\[|[\w-]+:).*,?$/.test(line);

/** The lines of a failure without colours, empty lines and frames of packages; runs of items are cut. */
export const shortened = (message) => {
  const lines = [];
  let items = 0;
  for (const line of withoutColours(message).split('\n')) {
    if (line.trim() === '' || /^\s+at .*node_modules|^\s+at .*node:/.test(line)) continue;
    items = isItem(line) ? items + 1 : 0;
    if (items === ITEMS + 1) lines.push('      …');
    if (items <= ITEMS) lines.push(line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line);
  }
  return lines.slice(0, LINES_PER_FAILURE);
};

/** The first failure of a suite in short form, and the titles of the others. */
export const failureLines = ({ path, failures, first }) => {
  const [shown, ...others] = failures;
  const again = first === undefined ? '' : ', twice';
  return [
    `${path} › ${shown.title} (${shown.kind}${again})`.slice(0, COLUMNS),
    ...shortened(shown.message).map((line) => `  ${line}`.slice(0, COLUMNS)),
    ...others.slice(0, ITEMS).map(({ title, kind }) => `  also: ${title} (${kind})`.slice(0, COLUMNS)),
    ...(others.length > ITEMS ? [`  and ${others.length - ITEMS} more`] : []),
  ];
};
