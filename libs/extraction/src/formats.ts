/** Readers by name; each has one place where it is made, see `readers/index.ts`. */
export type ReaderName =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
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
  | 'image';

/** A kind of file: what its names end in, what its content is known by, and who reads it. */
export interface Format {
  readonly name: string;
  /** Endings of file names, lower case, without the dot. */
  readonly endings: readonly string[];
  /** Kinds as the detector of contents names them; none for text, which has no signature. */
  readonly signatures: readonly string[];
  readonly reader: ReaderName;
}

/** Everything that is read, one row a kind. `docs/extraction.md` says which library does it. */
export const formats: readonly Format[] = [
  { name: 'PDF', endings: ['pdf'], signatures: ['pdf'], reader: 'pdf' },
  { name: 'Word', endings: ['docx', 'docm', 'dotx'], signatures: ['docx', 'docm', 'dotx'], reader: 'docx' },
  { name: 'PowerPoint', endings: ['pptx', 'pptm', 'ppsx'], signatures: ['pptx', 'pptm', 'ppsx'], reader: 'pptx' },
  { name: 'Excel', endings: ['xlsx', 'xlsm', 'xltx'], signatures: ['xlsx', 'xlsm', 'xltx'], reader: 'xlsx' },
  { name: 'OpenDocument', endings: ['odt', 'ods', 'odp'], signatures: ['odt', 'ods', 'odp'], reader: 'opendocument' },
  { name: 'RTF', endings: ['rtf'], signatures: ['rtf'], reader: 'rtf' },
  { name: 'EPUB', endings: ['epub'], signatures: ['epub'], reader: 'epub' },
  { name: 'HTML', endings: ['html', 'htm', 'xhtml'], signatures: [], reader: 'html' },
  { name: 'Markdown', endings: ['md', 'markdown'], signatures: [], reader: 'markdown' },
  { name: 'Text', endings: ['txt', 'text', 'log'], signatures: [], reader: 'text' },
  { name: 'CSV', endings: ['csv', 'tsv', 'tab'], signatures: [], reader: 'csv' },
  { name: 'JSON', endings: ['json'], signatures: [], reader: 'json' },
  { name: 'XML', endings: ['xml'], signatures: [], reader: 'xml' },
  { name: 'Mail', endings: ['eml'], signatures: [], reader: 'eml' },
  { name: 'Outlook mail', endings: ['msg'], signatures: [], reader: 'msg' },
  {
    name: 'Image',
    endings: ['png', 'jpg', 'jpeg', 'tif', 'tiff'],
    signatures: ['png', 'jpg', 'tif'],
    reader: 'image',
  },
];

export const endingOf = (name: string): string => /\.([^./\\]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The kind that a name claims; undefined where no reader knows it. */
export const formatByName = (name: string): Format | undefined =>
  formats.find(({ endings }) => endings.includes(endingOf(name)));

export const isSupported = (name: string): boolean => formatByName(name) !== undefined;

/** Why a file of this name is not read, for people. */
export const unsupportedReason = (name: string): string => {
  const ending = endingOf(name);
  return ending === ''
    ? 'Files without an ending are not read yet.'
    : `Files of type .${ending.replace(/[^a-z0-9]/g, '')} are not read yet.`;
};

const TEXT_MARKS: readonly (readonly number[])[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0xef, 0xbb, 0xbf],
];

/** Whether bytes begin with the mark of an encoding: then they are text, whatever else they look like. */
export const hasTextMark = (bytes: Uint8Array): boolean =>
  TEXT_MARKS.some((mark) => mark.every((byte, index) => bytes[index] === byte));

/**
 * The kind of a file by content and name together. A signature of something that is read decides, whatever the name
 * says; everything else is what its name claims, and its reader finds out whether that is true.
 */
export const formatOf = (name: string, signature: string | undefined): Format | undefined =>
  formats.find(({ signatures }) => signature !== undefined && signatures.includes(signature)) ?? formatByName(name);
