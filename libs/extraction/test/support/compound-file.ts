import CFB from 'cfb';

/** A compound file with these streams. */
export const compoundFile = (streams: Readonly<Record<string, Buffer>>): Buffer => {
  const file = CFB.utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, bytes);
  const stray = CFB.find(file, '/\u0001Sh33tJ5');
  if (stray !== null) CFB.utils.cfb_del(file, '/\u0001Sh33tJ5');
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Buffer);
};

const zeroEnded = (text: string): Buffer => Buffer.from(`${text}\0`, 'latin1');

/** A file inside an OLE object, as Office packs one that no program of it opens. */
export const packedObject = (name: string, bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  const path = zeroEnded(`C:\\${name}`);
  const body = Buffer.concat([zeroEnded(name), path, Buffer.alloc(8), path, length, bytes]);
  const head = Buffer.alloc(6);
  head.writeUInt32LE(body.length + 2);
  return compoundFile({ '\u0001Ole10Native': Buffer.concat([head, body]) });
};
