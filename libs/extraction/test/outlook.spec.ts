import { EmlReader, MsgReader, TnefReader } from '../src/readers/mail';
import { InlineSource } from '../src/inline-source';
import { msgFile } from './support/msg-file';
import { emlFile } from './support/open-files';
import { readWith } from './support/reading';
import { der, encryptedFile, signedFile } from './support/signed-files';
import { attribute, properties, tnefFile } from './support/tnef-file';

const reader = new MsgReader();
const TEXT = 'Content-Type: text/plain; charset=utf-8\r\n\r\nEl riego empieza el lunes.\r\n';
const PAGE = '<p>El turno del lunes pasa al jueves por obras en la acequia mayor.</p>';
const secured = (kind: string, bytes: Buffer | string): Buffer =>
  msgFile({ kind, subject: 'Turnos', attachments: [{ name: 'smime.p7m', bytes: Buffer.from(bytes as string) }] });

describe('what Outlook keeps beside a plain text', () => {
  it('the fuller of the two bodies is read', async () => {
    const stub = msgFile({ body: 'Abra el mensaje en HTML.', html: PAGE, codePage: 65_001 });
    expect((await readWith(reader, stub)).document.text).toMatch(/\n\nEl turno del lunes pasa al jueves[^]*mayor\.$/);
  });
  it('an appointment shows its place', async () => {
    const file = msgFile({ kind: 'IPM.Appointment', subject: 'Junta', place: 'Sala Ebro', body: 'Orden del día' });
    expect((await readWith(reader, file)).document.text).toMatch(/Subject: Junta\nLocation: Sala Ebro\n\nOrden/);
  });
  it('a contact shows its company and its telephones', async () => {
    const texts = { '3A06': 'Ana', '3A11': 'Gil', '3A16': 'Riegos SL', '3A08': '976 10 20 30', '3A1C': '600 10 20 30' };
    const { text } = (await readWith(reader, msgFile({ kind: 'IPM.Contact', texts }))).document;
    expect(text).toMatch(
      /Name: Ana Gil\nCompany: Riegos SL\nBusiness phone: 976 10 20 30\nMobile phone: 600 10 20 30$/,
    );
  });
  it('the report counts attachments, and pictures of the body as left out', async () => {
    const attachments = ['logo', 'plano'].map((name) => ({
      name: `${name}.png`,
      bytes: Buffer.from('x'),
      contentId: name,
    }));
    const { report } = await readWith(reader, msgFile({ html: '<p>Hola</p><img src="cid:logo">', attachments }));
    expect(report?.parts).toEqual([
      { kind: 'PART', counted: 1, read: 1, leftOut: [] },
      { kind: 'ATTACHMENT', counted: 2, read: 1, leftOut: [{ reason: 'PICTURE', count: 1 }] },
    ]);
  });
});

describe('secured mails of Outlook', () => {
  const signature = '--b\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nx\r\n--b--\r\n';
  it('a mail that is signed clearly has its text and its files', async () => {
    const file = `--c\r\n${TEXT}\r\n--c\r\nContent-Type: text/plain; name=acta.txt\r\nContent-Disposition: attachment; filename=acta.txt\r\n\r\nActa\r\n--c--\r\n`;
    const entity = `Content-Type: multipart/signed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${file}\r\n${signature}`;
    const { document, attachments, report } = await readWith(reader, secured('IPM.Note.SMIME.MultipartSigned', entity));
    expect(document).toMatchObject({ title: 'Turnos', author: 'Ana Muñoz <ana@example.org>' });
    expect(document.text).toMatch(/Subject: Turnos\n\nAttachments: acta\.txt\n\nEl riego empieza el lunes\.$/);
    expect(attachments.map(({ name }) => name)).toEqual(['acta.txt']);
    expect(report?.parts[0]).toMatchObject({ kind: 'MIME_PART', leftOut: [{ reason: 'SIGNATURE', count: 1 }] });
  });
  it('a mail that is signed opaquely has its text', async () => {
    const { document } = await readWith(reader, secured('IPM.Note.SMIME', signedFile(Buffer.from(TEXT))));
    expect(document.text).toMatch(/Subject: Turnos\n\nEl riego empieza el lunes\.$/);
  });
  it('an encrypted mail is found by its headers and says so', async () => {
    const { document, report } = await readWith(reader, secured('IPM.Note.SMIME', encryptedFile()));
    expect(document.text).toMatch(/Subject: Turnos\n\nEl contenido está cifrado/);
    expect(report?.parts[0]?.leftOut).toEqual([{ reason: 'ENCRYPTED', count: 1 }]);
  });
  it('a secured mail with damaged content is read and carries it', async () => {
    const { document, attachments } = await readWith(reader, secured('IPM.Note.SMIME', 'x'));
    expect(document.text).toMatch(/Subject: Turnos\nAttachments: smime\.p7m$/);
    expect(attachments.map(({ name }) => name)).toEqual(['smime.p7m']);
  });
  it('signed content under the kind of any file is opened by its name', async () => {
    const headers = ['From: ana@example.org', 'Content-Type: application/octet-stream; name="smime.p7m"'];
    const { document } = await readWith(new EmlReader(), emlFile(headers, signedFile(Buffer.from(TEXT))));
    expect(document.text).toBe('From: ana@example.org\n\nEl riego empieza el lunes.');
  });
  it('content that is encrypted and sealed says that it is encrypted', async () => {
    const sealed = der(0x30, Buffer.from('060b2a864886f70d0109100117', 'hex'), der(0xa0, der(0x30)));
    await expect(new InlineSource().extract({ name: 'acta.pdf.p7m', bytes: sealed })).rejects.toThrow(/encrypted/);
  });
});

describe('winmail.dat', () => {
  const file = (values: Readonly<Record<number, string | Buffer>>): Buffer[] => [
    attribute(0x69002, Buffer.alloc(14)),
    attribute(0x69005, properties(values)),
  ];
  it('the fuller of the two bodies is read', async () => {
    const bytes = tnefFile(
      attribute(0x69003, properties({ 0x1000: 'Abra el mensaje en HTML.', 0x1013: Buffer.from(PAGE) })),
    );
    const { document, report } = await readWith(new TnefReader(), bytes);
    expect(document.text).toBe('El turno del lunes pasa al jueves por obras en la acequia mayor.');
    expect(report?.parts).toEqual([{ kind: 'PART', counted: 1, read: 1, leftOut: [] }]);
  });
  it('a mail inside has the name that is shown, and is read', async () => {
    const inner = tnefFile(attribute(0x69003, properties({ 0x0037: 'Dentro', 0x1000: 'Mail en un mail' })));
    const bytes = tnefFile(
      attribute(0x69003, properties({ 0x1000: 'Va un mail' })),
      ...file({ 0x3001: 'Dentro', 0x3701: inner }),
    );
    const { attachments } = await readWith(new TnefReader(), bytes);
    expect(attachments.map(({ name }) => name)).toEqual(['Dentro']);
    const [mail] = attachments;
    expect((await new InlineSource().extract(mail ?? { name: '', bytes })).document.text).toMatch(/Mail en un mail$/);
  });
  it('files are counted, and one without bytes is left out', async () => {
    const bytes = tnefFile(
      attribute(0x69003, properties({ 0x1000: 'Va el acta' })),
      ...file({ 0x3707: 'acta.txt', 0x3701: Buffer.from('Acta') }),
      ...file({ 0x3707: 'nada.txt' }),
    );
    const { document, report } = await readWith(new TnefReader(), bytes);
    expect(document.text).toBe('Attachments: acta.txt\n\nVa el acta');
    expect(report?.parts[1]).toEqual({
      ...{ kind: 'ATTACHMENT', counted: 2, read: 1 },
      leftOut: [{ reason: 'NO_TEXT', count: 1 }],
    });
  });
});
