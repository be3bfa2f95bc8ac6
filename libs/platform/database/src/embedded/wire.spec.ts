import {
  cstring,
  errorResponse,
  greeting,
  message,
  passwordRequest,
  query,
  readCstring,
  readOpening,
  readyForQuery,
  splitMessages,
} from './wire';

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const opening = (code: number, ...words: string[]): Buffer => {
  const body = Buffer.concat([int32(code), ...words.map(cstring), ...(words.length > 0 ? [Buffer.from([0])] : [])]);
  return Buffer.concat([int32(body.length + 4), body]);
};

const VERSION_3 = 196_608;

describe('a message', () => {
  it('a message is its letter, its length without the letter, its body', () => {
    expect(message('Q', cstring('select 1'))).toEqual(
      Buffer.concat([Buffer.from('Q'), int32(13), Buffer.from('select 1\0')]),
    );
  });
  it('the length of a message counts bytes, not characters', () => {
    expect(query('ñ').readInt32BE(1)).toBe(4 + 2 + 1);
  });
});

describe('splitting', () => {
  const stream = Buffer.concat([query('select 1'), message('S'), query('select 2')]);
  it('splitting finds whole messages with all of their bytes', () => {
    const { messages, rest } = splitMessages(stream);
    expect(messages.map(({ type }) => type)).toEqual(['Q', 'S', 'Q']);
    expect(Buffer.concat(messages.map(({ bytes }) => bytes))).toEqual(stream);
    expect(rest).toHaveLength(0);
  });
  it('splitting finds the same messages at any cut of the stream', () => {
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const first = splitMessages(stream.subarray(0, cut));
      const second = splitMessages(Buffer.concat([first.rest, stream.subarray(cut)]));
      expect([...first.messages, ...second.messages].map(({ type }) => type)).toEqual(['Q', 'S', 'Q']);
      expect(second.rest).toHaveLength(0);
    }
  });
  it('splitting keeps an incomplete message', () => {
    const half = query('select 1').subarray(0, 9);
    expect(splitMessages(half)).toEqual({ messages: [], rest: half });
  });
  it.each([-2_147_483_648, -1, 0, 3])('splitting refuses the impossible length %d instead of looping', (length) => {
    expect(() => splitMessages(Buffer.concat([Buffer.from('Q'), int32(length), Buffer.alloc(8)]))).toThrow(RangeError);
  });
});

describe('a C string', () => {
  it('a C string is read to its end, where the next begins', () => {
    const bytes = Buffer.concat([cstring('año'), cstring('two')]);
    const [first, next] = readCstring(bytes, 0);
    expect([first, readCstring(bytes, next)[0]]).toEqual(['año', 'two']);
  });
});

describe('an opening', () => {
  it('an opening requests encryption by TLS or GSS', () => {
    expect(readOpening(opening(80_877_103))?.opening).toEqual({ kind: 'encryption' });
    expect(readOpening(opening(80_877_104))?.opening).toEqual({ kind: 'encryption' });
  });
  it('an opening requests a cancellation', () => {
    const bytes = Buffer.concat([int32(16), int32(80_877_102), int32(1), int32(2)]);
    expect(readOpening(bytes)?.opening).toEqual({ kind: 'cancel' });
  });
  it('an opening contains the parameters of a connection', () => {
    const bytes = opening(VERSION_3, 'user', 'auth_app', 'database', 'postgres', 'options', '-c a.b=c');
    expect(readOpening(bytes)?.opening).toEqual({
      kind: 'startup',
      parameters: { user: 'auth_app', database: 'postgres', options: '-c a.b=c' },
    });
  });
  it('an opening keeps a parameter without value, and its neighbours', () => {
    expect(readOpening(opening(VERSION_3, 'options', '', 'user', 'relay'))?.opening).toEqual({
      kind: 'startup',
      parameters: { options: '', user: 'relay' },
    });
  });
  it('an opening leaves the bytes behind it', () => {
    expect(readOpening(Buffer.concat([opening(80_877_103), message('p')]))?.rest).toEqual(message('p'));
  });
  it('an incomplete opening waits for the rest', () => {
    const bytes = opening(VERSION_3, 'user', 'auth_app');
    for (let length = 0; length < bytes.length; length += 1)
      expect(readOpening(bytes.subarray(0, length))).toBeUndefined();
  });
  it.each([0, 7, -1, 10_001])('an opening with the impossible length %d is refused', (length) => {
    expect(() => readOpening(Buffer.concat([int32(length), Buffer.alloc(8)]))).toThrow(RangeError);
  });
});

describe('a message of the server', () => {
  it('the server requests a password in clear text', () => {
    expect(passwordRequest()).toEqual(message('R', int32(3)));
  });
  it('an error response names code and text', () => {
    const text = errorResponse('28P01', 'Wrong.').toString();
    expect(text.split('\0')).toEqual(expect.arrayContaining(['C28P01', 'MWrong.']));
  });
  it('a login is answered with the parameters of drivers and readiness', () => {
    const { messages, rest } = splitMessages(greeting(7));
    expect(rest).toHaveLength(0);
    expect(messages.map(({ type }) => type).join('')).toMatch(/^RS+KZ$/);
    expect(messages.at(-1)?.bytes).toEqual(readyForQuery('I'));
    const parameters = messages.filter(({ type }) => type === 'S').map(({ bytes }) => readCstring(bytes, 5)[0]);
    expect(parameters).toEqual(expect.arrayContaining(['server_version', 'client_encoding', 'DateStyle', 'TimeZone']));
  });
});
