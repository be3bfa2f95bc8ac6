import type { Namespaces } from '../archive';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';

/** Namespaces of OpenDocument by their usual prefixes. */
export const openDocumentNamespaces: Namespaces = new Map([
  ...['office', 'text', 'table', 'presentation', 'meta', 'style'].map((name): [string, string] => [
    `${OASIS}:${name}:1.0`,
    name,
  ]),
  [`${OASIS}:drawing:1.0`, 'draw'],
  [`${OASIS}:svg-compatible:1.0`, 'svg'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
]);
