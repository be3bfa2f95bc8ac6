import { type ZipEntries, zipFile } from './zip-file';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';
const OPEN_NAMES = ['office', 'text', 'table', 'presentation', 'meta', 'style', 'chart']
  .map((name) => `xmlns:${name}="${OASIS}:${name}:1.0"`)
  .concat(
    `xmlns:draw="${OASIS}:drawing:1.0"`,
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
  )
  .join(' ');
const META = `<office:document-meta ${OPEN_NAMES}><office:meta><dc:title>Informe &amp; anexos</dc:title
 ><meta:initial-creator>Ana Gil</meta:initial-creator><dc:creator>Otra</dc:creator><dc:date>2024-03-05T10:00:00Z</dc:date
 ><dc:language>es-ES</dc:language></office:meta></office:document-meta>`;

export type OpenDocumentKind = 'text' | 'spreadsheet' | 'presentation';

/** An OpenDocument file by its body and its automatic styles. */
export const openDocumentFile = (
  kind: OpenDocumentKind,
  body: string,
  { styles = '', entries = {} }: { readonly styles?: string; readonly entries?: ZipEntries } = {},
): Buffer =>
  zipFile({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${OPEN_NAMES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'meta.xml': META,
    ...entries,
  });

/** A part of an OpenDocument file with the styles of its pages. */
export const pageStyles = (content: string): string =>
  `<office:document-styles ${OPEN_NAMES}><office:master-styles><style:master-page>${content}</style:master-page></office:master-styles></office:document-styles>`;

/** A chart that a file has inside, as its part. */
export const openChart = (content: string): string =>
  `<office:document-content ${OPEN_NAMES}><office:body><office:chart><chart:chart>${content}</chart:chart></office:chart></office:body></office:document-content>`;

/** An OpenDocument file in one part. */
export const flatFile = (kind: OpenDocumentKind, body: string, before = ''): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${OPEN_NAMES} office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:meta><dc:title>Informe</dc:title></office:meta>${before}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
  );

const OLD_NAMES = ['office', 'text', 'table', 'style', 'meta']
  .map((name) => `xmlns:${name}="http://openoffice.org/2000/${name}"`)
  .concat('xmlns:draw="http://openoffice.org/2000/drawing"')
  .join(' ');
const oldPart = (name: string, content: string): string =>
  `<?xml version="1.0"?>\n<!DOCTYPE office:${name} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "office.dtd">\n<office:${name} ${OLD_NAMES}>${content}</office:${name}>`;

/** A file of OpenOffice 1. */
export const openOfficeFile = (kind: 'writer' | 'calc' | 'impress', body: string, styles = ''): Buffer =>
  zipFile(
    {
      mimetype: `application/vnd.sun.xml.${kind}`,
      'content.xml': oldPart('document-content', `<office:body>${body}</office:body>`),
      'styles.xml': oldPart('document-styles', styles),
      'meta.xml': oldPart(
        'document-meta',
        '<office:meta><meta:initial-creator>Ana</meta:initial-creator></office:meta>',
      ),
    },
    { level: 0 },
  );

export interface Chapter {
  readonly name: string;
  /** The whole page, or the content of its body. */
  readonly page: string | Buffer;
}

/** A book whose chapters are read in the order in which they come; `items` are more entries of its manifest. */
export const epubFile = (chapters: readonly Chapter[], entries: ZipEntries = {}, items = ''): Buffer => {
  const listed = chapters.map(
    ({ name }, index) => `<item id="c${index}" href="${encodeURI(name)}" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_chapter, index) => `<itemref idref="c${index}"/>`);
  const pages: Record<string, string | Buffer> = {};
  // Chapters are stored backwards, so that only the spine knows their order.
  for (const { name, page } of chapters.toReversed())
    pages[`OEBPS/${name}`] =
      typeof page !== 'string' || page.startsWith('<?xml')
        ? page
        : `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>no</title></head><body>${page}</body></html>`;
  return zipFile({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
    'OEBPS/content.opf': `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"
      ><dc:title>Informe &amp; anexos</dc:title><dc:creator>Ana Gil</dc:creator><dc:date>2024-03-05T10:00:00Z</dc:date
      ><dc:language>es-ES</dc:language></metadata><manifest>${listed.join('')}${items}</manifest><spine>${spine.join('')}</spine></package>`,
    ...pages,
    ...entries,
  });
};

export interface MailPart {
  readonly headers: readonly string[];
  readonly body: string | Buffer;
}

/** A mail by its headers and its body as they are sent. */
export const emlFile = (headers: readonly string[], body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${headers.join('\r\n')}\r\n\r\n`), Buffer.from(body as string)]);

const BOUNDARY = 'part-of-the-mail';

/** A mail of several parts. */
export const mixedMail = (headers: readonly string[], parts: readonly MailPart[], kind = 'mixed'): Buffer => {
  const pieces = parts.flatMap(({ headers: partHeaders, body }) => [
    Buffer.from(`--${BOUNDARY}\r\n`),
    emlFile(partHeaders, body),
    Buffer.from('\r\n'),
  ]);
  const type = `Content-Type: multipart/${kind}; boundary="${BOUNDARY}"`;
  return emlFile(
    [...headers, 'MIME-Version: 1.0', type],
    Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  );
};
