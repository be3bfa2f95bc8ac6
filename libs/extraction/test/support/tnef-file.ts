const number = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};

/** One attribute of TNEF: its level, its id and its data. */
export const attribute = (id: number, data: Buffer): Buffer =>
  Buffer.concat([number(1, 1), number(id, 4), number(data.length, 4), data, number(0, 2)]);

/** Properties of MAPI: unicode texts and binaries by id. */
export const properties = (values: Readonly<Record<number, string | Buffer>>): Buffer => {
  const written = Object.entries(values).map(([id, value]) => {
    const data = typeof value === 'string' ? Buffer.from(`${value}\0`, 'utf16le') : value;
    const head = [number(typeof value === 'string' ? 0x1f : 0x102, 2), number(Number(id), 2), number(1, 4)];
    return Buffer.concat([...head, number(data.length, 4), data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
  });
  return Buffer.concat([number(written.length, 4), ...written]);
};

/** A file `winmail.dat` of these attributes. */
export const tnefFile = (...attributes: readonly Buffer[]): Buffer =>
  Buffer.concat([number(0x223e9f78, 4), number(1, 2), ...attributes]);

const text = (value: string): Buffer => Buffer.from(`${value}\0`, 'latin1');

/** A message of Outlook with one file inside. */
export const outlookMessage = (body: string, name: string, content: string): Buffer =>
  tnefFile(
    attribute(0x69003, properties({ 0x0037: 'Convocatoria', 0x1000: body })),
    attribute(0x69002, Buffer.alloc(14)),
    attribute(0x18010, text('CORTO~1.TXT')),
    attribute(0x6800f, Buffer.from(content)),
    attribute(0x69005, properties({ 0x3707: name })),
  );
