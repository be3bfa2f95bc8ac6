import type { Namespaces } from '../archive';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';
/** OpenOffice 1 has the same elements under other namespaces. */
const OPEN_OFFICE = 'http://openoffice.org/2000';
const SHARED = ['office', 'text', 'table', 'presentation', 'meta', 'style', 'chart'];

/** Namespaces of OpenDocument and of OpenOffice 1 by their usual prefixes. */
export const openDocumentNamespaces: Namespaces = new Map([
  ...SHARED.map((name): [string, string] => [`${OASIS}:${name}:1.0`, name]),
  ...SHARED.map((name): [string, string] => [`${OPEN_OFFICE}/${name}`, name]),
  [`${OASIS}:drawing:1.0`, 'draw'],
  [`${OPEN_OFFICE}/drawing`, 'draw'],
  [`${OASIS}:svg-compatible:1.0`, 'svg'],
  ['http://www.w3.org/2000/svg', 'svg'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
]);
