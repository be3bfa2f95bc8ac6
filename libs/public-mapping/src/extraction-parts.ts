/** What the parts of a file are, as its format counts them. `PART` is the whole of a file without parts. */
export const partKinds = [
  'PART',
  'PAGE',
  'SLIDE',
  'SHEET',
  'CHAPTER',
  'RELATION',
  'CHART',
  'COMMENT',
  'MIME_PART',
  'MESSAGE',
  'ATTACHMENT',
  'SIGNED_CONTENT',
  'RECORD',
  'BYTE',
] as const;
export type PartKind = (typeof partKinds)[number];

/** Why parts of a file are not in its text. `UNREAD` is the reason of parts that no reader accounts for. */
export const leftOutReasons = [
  'NO_TEXT',
  'APPEARANCE',
  'PICTURE',
  'REPEATED',
  'HIDDEN',
  'DELETED',
  'SIGNATURE',
  'ENCRYPTED',
  'DAMAGED',
  'UNSUPPORTED',
  'LIMIT',
  'UNREAD',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];
