import { LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';

/** Nesting of multiparts; mails of programs have five. */
const MOST_DEPTH = 30;
const [LINE_FEED, RETURN, HYPHEN] = [10, 13, 45];
const AFTER_BOUNDARY = new Set([LINE_FEED, RETURN, HYPHEN, 32, 9]);

/** A part of a mail, by the places of its header and its body. */
export interface MimePart {
  readonly bytes: Buffer;
  /** Names in lower case, values unfolded; the first of several with one name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Media type in lower case. */
  readonly type: string;
  readonly header: Buffer;
  readonly body: Buffer;
  /** Parts of a multipart; null for any other part. */
  readonly parts: readonly MimePart[] | null;
  /** What precedes each part, and what follows the last one, in a multipart. */
  readonly between: readonly Buffer[];
}

const PARAMETER = /;\s{0,9}([\w*-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]{0,200})"|([^;\s"]{1,200}))/g;

/** A parameter of a header, such as the charset of a content type. */
export const parameterOf = (value: string, name: string): string | undefined => {
  for (const [, found = '', quoted, bare] of value.matchAll(PARAMETER))
    if (found.toLowerCase() === name) return quoted ?? bare;
  return undefined;
};

/** Where the header ends and the body begins. */
const bodyStart = (bytes: Buffer): number => {
  if (bytes[0] === LINE_FEED) return 1;
  if (bytes[0] === RETURN && bytes[1] === LINE_FEED) return 2;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (bytes[at + 1] === LINE_FEED) return at + 2;
    if (bytes[at + 1] === RETURN && bytes[at + 2] === LINE_FEED) return at + 3;
  }
  return bytes.length;
};

const headersIn = (header: Buffer): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>();
  const lines = header.toString('latin1').replace(/\r?\n[ \t]+/g, ' ');
  for (const [, name = '', value = ''] of lines.matchAll(/^([!-9;-~]{1,100}):(.*)$/gm))
    if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value.trim());
  return headers;
};

interface Split {
  readonly parts: readonly Buffer[];
  readonly between: readonly Buffer[];
}

const splitBy = (body: Buffer, boundary: string): Split => {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  const parts: Buffer[] = [];
  const between: Buffer[] = [];
  let [start, from] = [-1, 0];
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    const after = body[at + mark.length];
    if ((at > 0 && body[at - 1] !== LINE_FEED) || (after !== undefined && !AFTER_BOUNDARY.has(after))) continue;
    const end = at >= 2 && body[at - 2] === RETURN ? at - 2 : Math.max(at - 1, 0);
    if (start >= 0) {
      parts.push(body.subarray(start, Math.max(start, end)));
      from = Math.max(start, end);
    }
    const line = body.indexOf(LINE_FEED, at);
    const isLast = after === HYPHEN && body[at + mark.length + 1] === HYPHEN;
    start = isLast || line < 0 ? -1 : line + 1;
    if (start < 0) break;
    between.push(body.subarray(from, start));
    from = start;
  }
  // A mail that is cut off lacks its last boundary.
  if (start >= 0) {
    parts.push(body.subarray(start));
    from = body.length;
  }
  return { parts, between: [...between, body.subarray(from)] };
};

type Whole = Omit<MimePart, 'parts' | 'between'>;

/**
 * The first line of a body that may be a boundary, and where it is looked for. A line of dashes alone only divides the
 * text; behind a boundary stands a header or an empty line.
 */
const BOUNDARY_LINE = /^--(?=[^\n]{0,70}[a-z\d])([\w'()+,./:=?-]{1,70})[ \t]{0,9}\r?\n(?=content-[\w-]{1,40}:|\r?\n)/im;
const BOUNDARY_WITHIN = 8_192;
const CONTENT_TYPE = /^content-type:[^\n]*\n(?:[ \t][^\n]*\n)*/gim;

/** Reads the structure of a mail; its parts are not decoded. */
class TreeReader {
  private count = 0;

  constructor(private readonly limits: Pick<ReadLimits, 'entries'>) {}

  read(bytes: Buffer, usualType: string, depth: number): MimePart {
    this.count += 1;
    if (this.count > this.limits.entries) throw new LimitExceeded('parts of a mail', this.limits.entries);
    const start = bodyStart(bytes);
    const header = bytes.subarray(0, start);
    const body = bytes.subarray(start);
    const headers = headersIn(header);
    const declared = headers.get('content-type') ?? '';
    const type = /^[\w.+-]{1,60}\/[\w.+-]{1,100}/.exec(declared)?.[0].toLowerCase() ?? usualType;
    const whole = { bytes, headers, type, header, body };
    if (!type.startsWith('multipart/')) return { ...whole, parts: null, between: [] };
    const named = parameterOf(declared, 'boundary') ?? '';
    if (named === '') return this.withoutBoundary(whole, depth);
    return this.multipart(whole, named, depth);
  }

  /** A mail that lost its boundary has it in its body; one without any is a text. */
  private withoutBoundary(whole: Whole, depth: number): MimePart {
    const { header, body, headers } = whole;
    const boundary = BOUNDARY_LINE.exec(body.toString('latin1', 0, BOUNDARY_WITHIN))?.[1];
    const others = header.toString('latin1').replace(CONTENT_TYPE, '').trimEnd();
    const type = boundary === undefined ? 'text/plain' : `${whole.type}; boundary="${boundary}"`;
    const again = Buffer.from(`${others}${others === '' ? '' : '\r\n'}Content-Type: ${type}\r\n\r\n`, 'latin1');
    const repaired = {
      bytes: Buffer.concat([again, body]),
      headers: new Map([...headers, ['content-type', type]]),
      type: boundary === undefined ? type : whole.type,
      header: again,
      body,
    };
    return boundary === undefined
      ? { ...repaired, parts: null, between: [] }
      : this.multipart(repaired, boundary, depth);
  }

  private multipart(whole: Whole, boundary: string, depth: number): MimePart {
    if (depth >= MOST_DEPTH) throw new LimitExceeded('parts inside parts of a mail', MOST_DEPTH);
    const { parts, between } = splitBy(whole.body, boundary);
    const usual = whole.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    return { ...whole, parts: parts.map((part) => this.read(part, usual, depth + 1)), between };
  }
}

/** The structure of a mail. @throws LimitExceeded */
export const mimeTree = (bytes: Buffer, limits: Pick<ReadLimits, 'entries'>): MimePart =>
  new TreeReader(limits).read(bytes, 'text/plain', 0);

/** The parts without parts of their own, in their order. */
export const leavesOf = (part: MimePart): MimePart[] =>
  part.parts === null ? [part] : part.parts.flatMap((each) => leavesOf(each));

const fromQuotedPrintable = (body: Buffer): Buffer =>
  Buffer.from(
    body
      .toString('latin1')
      .replace(/=[ \t]{0,9}\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** The bytes of a part as they were before their transfer. */
export const contentOf = ({ headers, body }: MimePart): Buffer => {
  const transfer = headers.get('content-transfer-encoding')?.toLowerCase() ?? '';
  if (transfer.startsWith('base64')) return Buffer.from(body.toString('latin1'), 'base64');
  return transfer.startsWith('quoted-printable') ? fromQuotedPrintable(body) : body;
};
