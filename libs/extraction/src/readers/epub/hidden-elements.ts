/** Elements without text of a page. */
const SKIPPED = new Set(
  'head script style template noscript svg math object embed iframe audio video canvas select textarea button rt rp'.split(
    ' ',
  ),
);
const HIDDEN = /display\s{0,4}:\s{0,4}none/i;

export type Attributes = Readonly<Record<string, string>>;

const isHidden = (attributes: Attributes): boolean =>
  attributes['hidden'] !== undefined || HIDDEN.test(attributes['style']?.slice(0, 2_000) ?? '');

/** Whether the content of an element is no visible text. */
export const hidesContent = (name: string, attributes: Attributes): boolean =>
  SKIPPED.has(name) || isHidden(attributes);
