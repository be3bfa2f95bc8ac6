/** Readers by name; `readers/index.ts` creates each of them. */
export type ReaderName =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'doc'
  | 'xls'
  | 'ppt'
  | 'opendocument'
  | 'rtf'
  | 'epub'
  | 'html'
  | 'markdown'
  | 'text'
  | 'csv'
  | 'json'
  | 'xml'
  | 'eml'
  | 'msg'
  | 'mbox'
  | 'tnef'
  | 'signed'
  | 'asic'
  | 'mhtml'
  | 'image';

/** A file format: endings, kinds of content and reader. */
export interface Format {
  readonly name: string;
  /** Endings of file names, lower case, without the dot. */
  readonly endings: readonly string[];
  readonly mediaTypes: readonly string[];
  /** Kinds of content that identify the format; empty for text, which has no signature. */
  readonly kinds: readonly string[];
  readonly reader: ReaderName;
}

const ooxml = (kind: string): string => `application/vnd.openxmlformats-officedocument.${kind}`;
const asic = (kind: string): string => `application/vnd.etsi.asic-${kind}+zip`;
const oasis = (kind: string): string => `application/vnd.oasis.opendocument.${kind}`;

/** A row of the table: name, endings, media types, kinds of content, reader. */
const row = (
  name: string,
  endings: string,
  mediaTypes: readonly string[],
  kinds: readonly string[],
  reader: ReaderName,
): Format => ({ name, endings: endings.split(' '), mediaTypes, kinds, reader });

/** Endings of plain text. Text under any other ending that no row names, or without one, is read by its content. */
const PLAIN_ENDINGS =
  'txt text log conf cfg ini properties toml yaml yml org rst adoc asciidoc tex bib srt vtt ics vcf sql csl nfo';

/** All formats with a reader, one row each. `docs/extraction.md` names the libraries. */
export const formats: readonly Format[] = [
  row('PDF', 'pdf', ['application/pdf'], ['pdf'], 'pdf'),
  row('Word', 'docx docm dotx dotm', [ooxml('wordprocessingml.document')], ['docx'], 'docx'),
  row('PowerPoint', 'pptx pptm ppsx ppsm potx potm', [ooxml('presentationml.presentation')], ['pptx'], 'pptx'),
  row('Excel', 'xlsx xlsm xltx xltm', [ooxml('spreadsheetml.sheet')], ['xlsx'], 'xlsx'),
  row('Word before 2007', 'doc dot', ['application/msword'], ['doc'], 'doc'),
  row(
    'Excel before 2007',
    'xls xlt xlsb',
    ['application/vnd.ms-excel', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
    ['xls', 'xlsb'],
    'xls',
  ),
  row('PowerPoint before 2007', 'ppt pps pot', ['application/vnd.ms-powerpoint'], ['ppt'], 'ppt'),
  row(
    'OpenDocument',
    'odt ods odp ott ots otp odm odg otg fodt fods fodp fodg sxw sxc sxi stw stc sti sxd',
    ['text', 'spreadsheet', 'presentation', 'graphics'].map(oasis),
    ['opendocument'],
    'opendocument',
  ),
  row('RTF', 'rtf', ['application/rtf', 'text/rtf'], ['rtf'], 'rtf'),
  row('EPUB', 'epub', ['application/epub+zip'], ['epub'], 'epub'),
  row('HTML', 'html htm xhtml', ['text/html', 'application/xhtml+xml'], [], 'html'),
  row('Markdown', 'md markdown', ['text/markdown'], [], 'markdown'),
  row('Text', PLAIN_ENDINGS, ['text/plain', 'text/calendar', 'text/vcard', 'application/sql'], [], 'text'),
  row('CSV', 'csv tsv tab', ['text/csv', 'text/tab-separated-values'], [], 'csv'),
  row(
    'JSON',
    'json jsonl ndjson geojson',
    ['application/json', 'application/geo+json', 'application/x-ndjson'],
    [],
    'json',
  ),
  row('XML', 'xml', ['application/xml', 'text/xml'], [], 'xml'),
  row('Mail', 'eml emlx', ['message/rfc822'], [], 'eml'),
  row('Mailbox', 'mbox mbx', ['application/mbox'], [], 'mbox'),
  row('Outlook attachment', 'tnef', ['application/ms-tnef', 'application/vnd.ms-tnef'], ['tnef'], 'tnef'),
  row('Signed file', 'p7m p7s', ['application/pkcs7-mime', 'application/pkcs7-signature'], ['cms'], 'signed'),
  row('Signed container', 'asice asics sce scs', ['e', 's'].map(asic), ['asic'], 'asic'),
  row('Saved page', 'mhtml mht', ['multipart/related'], [], 'mhtml'),
  row('Outlook mail', 'msg', ['application/vnd.ms-outlook'], ['msg'], 'msg'),
  row('Image', 'png jpg jpeg tif tiff', ['image/png', 'image/jpeg', 'image/tiff'], ['png', 'jpg', 'tif'], 'image'),
];

export const endingOf = (name: string): string => /\.([^./\\]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The format by the ending of a name; undefined without a reader for it. */
export const formatByName = (name: string): Format | undefined =>
  formats.find(({ endings }) => endings.includes(endingOf(name)));

export const isSupported = (name: string): boolean => formatByName(name) !== undefined;

/** Readers of text that is shown as it stands. */
const PLAIN: readonly ReaderName[] = ['text', 'markdown', 'csv', 'json'];

/** Whether a file of this name is plain text, if its content is what its name says. */
export const isPlainText = (name: string): boolean => {
  const format = formatByName(name);
  return format !== undefined && PLAIN.includes(format.reader);
};

/** Common kinds without a reader, with advice for users. */
const advice: Readonly<Record<string, string>> = {
  zip: 'Archives are not opened; unpack it into the folder.',
  rar: 'Archives are not opened; unpack it into the folder.',
  '7z': 'Archives are not opened; unpack it into the folder.',
  gz: 'Archives are not opened; unpack it into the folder.',
  tar: 'Archives are not opened; unpack it into the folder.',
};

/** Endings of files that hold no text for people: they are not opened. */
const SILENT_ENDINGS: ReadonlySet<string> = new Set(
  (
    'aac accdb ai apk avi avif bmp cab class db deb dll dmg dwg dylib emf eot exe flac gif heic heif ico indd iso jar ' +
    'jks key lib lnk m4a m4v mdb mkv mov mp3 mp4 mpeg mpg msi o obj odb ogg ost otf p12 parquet pfx psd pst pyc rpm ' +
    'sav sqlite swf so ttf vhd vmdk wav webm webp wma wmf wmv woff woff2 bz2 xz zst lz lz4 tgz'
  ).split(' '),
);

/** Files of keys and passwords, most of them plain text. */
const SECRET_NAME =
  /(?:^|[\\/])(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.env(?:\.[^\\/]*)?|[^\\/]*\.(?:asc|env|gpg|kdbx|keytab|ovpn|pem|pgp|ppk|tfstate))$/i;

/** The reason why a kind of file has no reader, by ending or by content. */
export const unreadKind = (kind: string): string =>
  advice[kind] ?? `Files of type .${kind.replace(/[^a-z0-9]/g, '')} are not read yet.`;

/** Why a file of this name is not even opened; null where its content decides. */
export const unreadByName = (name: string): string | null => {
  if (SECRET_NAME.test(name)) return 'Files of keys and passwords are not opened.';
  const ending = endingOf(name);
  const isClosed = !isSupported(name) && (ending in advice || SILENT_ENDINGS.has(ending));
  return isClosed ? unreadKind(ending) : null;
};

/** The reason for users why a file of this name is not read. */
export const unsupportedReason = (name: string): string => {
  const ending = endingOf(name);
  return ending === '' ? 'Files without an ending are read where they are plain text.' : unreadKind(ending);
};

/** The format whose files are of a kind by their content. */
export const formatByKind = (kind: string): Format | undefined => formats.find(({ kinds }) => kinds.includes(kind));

export const formatByReader = (reader: ReaderName): Format | undefined =>
  formats.find((format) => format.reader === reader);
