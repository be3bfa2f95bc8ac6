/** Framing of the PostgreSQL wire protocol, version 3: pure functions over bytes. */

/** One typed message: its letter, and all of its bytes including letter and length. */
export interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

export const cstring = (text: string): Buffer => Buffer.from(`${text}\0`);

export const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
};

export const query = (sql: string): Buffer => message('Q', cstring(sql));

/** The typed messages at the beginning of a buffer, and the rest. @throws RangeError */
export const splitMessages = (buffer: Buffer): { messages: Message[]; rest: Buffer } => {
  const messages: Message[] = [];
  let offset = 0;
  while (buffer.length - offset >= 5) {
    const length = buffer.readInt32BE(offset + 1) + 1;
    if (length < 5) throw new RangeError('A message has an impossible length.');
    if (buffer.length - offset < length) break;
    messages.push({ type: String.fromCharCode(buffer[offset] ?? 0), bytes: buffer.subarray(offset, offset + length) });
    offset += length;
  }
  return { messages, rest: buffer.subarray(offset) };
};

/** The NUL-terminated string at an offset and the offset after it. */
export const readCstring = (bytes: Buffer, offset: number): [string, number] => {
  const end = bytes.indexOf(0, offset);
  return [bytes.toString('utf8', offset, end), end + 1];
};

/** The first message of a client, which has no type letter: a length, a code, parameters. */
export type Opening =
  | { readonly kind: 'encryption' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'startup'; readonly parameters: Readonly<Record<string, string>> };

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

/** The opening message at the beginning of a buffer, once it is complete. */
export const readOpening = (buffer: Buffer): { opening: Opening; rest: Buffer } | undefined => {
  if (buffer.length < 8) return undefined;
  const length = buffer.readInt32BE(0);
  if (length < 8 || length > 10_000) throw new RangeError('An opening message has an impossible length.');
  if (buffer.length < length) return undefined;
  const rest = buffer.subarray(length);
  const code = buffer.readInt32BE(4);
  if (code === SSL_REQUEST || code === GSS_REQUEST) return { opening: { kind: 'encryption' }, rest };
  if (code === CANCEL_REQUEST) return { opening: { kind: 'cancel' }, rest };
  const words = buffer.toString('utf8', 8, length).split('\0');
  const parameters: Record<string, string> = {};
  for (let index = 0; index + 1 < words.length && words[index] !== ''; index += 2)
    parameters[words[index] ?? ''] = words[index + 1] ?? '';
  return { opening: { kind: 'startup', parameters }, rest };
};

export const readyForQuery = (status = 'I'): Buffer => message('Z', Buffer.from(status));

export const errorResponse = (code: string, text: string): Buffer =>
  message('E', ...['SFATAL', 'VFATAL', `C${code}`, `M${text}`].map(cstring), Buffer.from([0]));

export const passwordRequest = (): Buffer => message('R', int32(3));

/** The answer to a correct password. */
/** Reports a setting of the session to a connection; a client that does not know it ignores it. */
export const parameterStatus = (name: string, value: string): Buffer => message('S', cstring(name), cstring(value));

export const greeting = (connectionId: number): Buffer =>
  Buffer.concat([
    message('R', int32(0)),
    ...Object.entries({
      server_version: '18.6',
      server_encoding: 'UTF8',
      client_encoding: 'UTF8',
      DateStyle: 'ISO, MDY',
      TimeZone: 'UTC',
      integer_datetimes: 'on',
      standard_conforming_strings: 'on',
      IntervalStyle: 'postgres',
    }).map(([name, value]) => parameterStatus(name, value)),
    message('K', int32(connectionId), int32(0)),
    readyForQuery(),
  ]);
