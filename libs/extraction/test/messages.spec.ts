import { DamagedFile, EncryptedContent, UnsupportedFile } from '../src/errors';
import { detectFormat } from '../src/formats-detection';
import { InlineSource } from '../src/inline-source';
import { EmlReader, MboxReader, TnefReader } from '../src/readers/mail';
import { AsicReader, SignedReader } from '../src/readers/signed';
import { emlFile, type MailPart, mixedMail } from './support/open-files';
import { readWith } from './support/reading';
import { compressedFile, encryptedFile, signedFile } from './support/signed-files';
import { attribute, outlookMessage, properties, tnefFile } from './support/tnef-file';
import { zipFile } from './support/zip-file';

const reader = new EmlReader();
const HEAD = ['From: ana@example.org', 'Subject: Riego'];

const alternative = (text: string, html: string, ...more: readonly MailPart[]): Buffer => {
  const parts = [
    { headers: ['Content-Type: text/plain; charset=utf-8'], body: text },
    { headers: ['Content-Type: text/html; charset=utf-8'], body: html },
    ...more,
  ];
  const body = parts.map((part) => `--b\r\n${part.headers.join('\r\n')}\r\n\r\n${part.body.toString()}\r\n`).join('');
  return emlFile([...HEAD, 'MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=b'], `${body}--b--\r\n`);
};
const bodyOf = async (bytes: Buffer): Promise<string> => {
  const { text } = (await readWith(reader, bytes)).document;
  return text.slice(text.indexOf('\n\n') + 2);
};
const PAGE = '<style>p { color: red }</style><p>El turno del lunes pasa al <b>jueves</b> por obras en la acequia.</p>';

describe('the alternatives of a mail', () => {
  it.each([
    ['a stub', 'Abra este mensaje con un programa que muestre HTML.', /^El turno del lunes pasa al jueves/],
    ['blank', ' \r\n ', /^El turno del lunes/],
    ['the beginning of the page', 'El turno del lunes', /jueves por obras/],
    [
      'the same text',
      'El turno del lunes pasa al jueves por obras en la acequia.',
      /^El turno del lunes pasa al jueves[^<]*$/,
    ],
  ])('where the plain part is %s the fuller one is read', async (_what, part, expected) => {
    const text = await bodyOf(alternative(part, PAGE));
    expect(text).toMatch(expected);
    expect(text.match(/jueves/g)).toHaveLength(1);
  });
  it('a long plain part that says something else stays', async () => {
    const other = 'La comunidad recuerda que las cuotas de este ejercicio vencen en mayo. '.repeat(4);
    expect(await bodyOf(alternative(other, PAGE))).toMatch(/jueves[^]*cuotas de este ejercicio/);
  });
  it('the report counts the parts, and the alternative that is left out', async () => {
    const { report } = await readWith(reader, alternative('Abra este mensaje en HTML.', PAGE));
    const leftOut = [{ reason: 'REPEATED', count: 1 }];
    expect(report?.parts).toEqual([{ kind: 'MIME_PART', counted: 2, read: 1, leftOut }]);
  });
  it('an appointment shows its subject, place and people', async () => {
    const calendar =
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Junta de regan\r\n tes\r\nLOCATION:Sala Ebro\r\nORGANIZER;CN=Ana Gil:mailto:ana@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR';
    const part = { headers: ['Content-Type: text/calendar; method=REQUEST; charset=utf-8'], body: calendar };
    const text = await bodyOf(alternative('Le invito a la junta.', '<p>Le invito a la junta.</p>', part));
    expect(text).toMatch(/SUMMARY: Junta de regantes\nLOCATION: Sala Ebro\nORGANIZER: Ana Gil <ana@example.org>/);
  });
});

describe('the letters of a mail', () => {
  const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
  it.each([
    ['names no charset', ''],
    ['names UTF-8 and has Latin-1', 'Content-Type: text/plain; charset=utf-8\r\n'],
    ['names an unknown charset', 'Content-Type: text/plain; charset="WE8MSWIN1252"; format=flowed\r\n'],
    ['names ASCII', 'Content-Type: text/plain; charset=us-ascii\r\n'],
  ])('a mail that %s keeps its accents', async (_what, type) => {
    const mail = latin(
      `From: Bego\u00f1a <b@example.org>\r\nSubject: Reuni\u00f3n\r\n${type}\r\nLa sesi\u00f3n ser\u00e1 el mi\u00e9rcoles.\r\n`,
    );
    const { text } = (await readWith(reader, mail)).document;
    expect(text).toBe('From: Begoña <b@example.org>\nSubject: Reunión\n\nLa sesión será el miércoles.');
  });
  it('UTF-8 under the name of Latin-1 keeps its accents', async () => {
    const body = Buffer.from('La sesión será el miércoles.');
    expect(await bodyOf(emlFile([...HEAD, 'Content-Type: text/plain; charset=iso-8859-1'], body))).toBe(
      body.toString(),
    );
  });
  it('a part in quoted-printable without a charset keeps its accents', async () => {
    const headers = [...HEAD, 'Content-Type: text/plain', 'Content-Transfer-Encoding: quoted-printable'];
    expect(await bodyOf(emlFile(headers, 'La sesi=F3n ser=E1 el mi=E9rcoles.'))).toBe('La sesión será el miércoles.');
  });
  it('the line of a mailbox before the headers is no header', async () => {
    const mail = `From ana@example.org Wed Jan 14 10:00:00 2026\r\n${HEAD.join('\r\n')}\r\n\r\nHola`;
    expect((await readWith(reader, mail)).document.text).toBe('From: ana@example.org\nSubject: Riego\n\nHola');
  });
});

describe('what programs store and send as a mail', () => {
  const text = async (bytes: Buffer): Promise<string> => (await readWith(reader, bytes)).document.text;
  const typed = (type: string, body: string): Buffer => emlFile([...HEAD, `Content-Type: ${type}`], body);
  it('a mail that Apple Mail stores is read without its length and properties', async () => {
    const mail = Buffer.from(`${HEAD.join('\n')}\nDate: Tue, 05 Mar 2024 12:00:00 +0100\n\nRiego en Azpeitia.\n`);
    const bytes = Buffer.concat([Buffer.from(`${mail.length}\n`), mail, Buffer.from('<?xml version="1.0"?><plist/>')]);
    expect(await text(bytes)).toMatch(/^From: ana@example\.org\n[^]*\n\nRiego en Azpeitia\.$/);
    for (const name of ['1.emlx', 'correo'])
      expect(await detectFormat({ name, bytes })).toMatchObject({ reader: 'eml' });
  });
  it('a byte order mark does not hide the first header', async () => {
    const bytes = Buffer.concat([Buffer.from('\ufeff'), emlFile(HEAD, 'Hola')]);
    expect(await text(bytes)).toBe('From: ana@example.org\nSubject: Riego\n\nHola');
  });
  it.each([
    ['a line goes on', 'format=flowed', 'el turno \r\ndel lunes\r\npasa', 'el turno del lunes\npasa'],
    ['a word goes on', 'format=flowed; delsp=yes', 'el tur \r\nno', 'el turno'],
    ['a quotation ends', 'format=flowed', '> el turno \r\n> del lunes \r\nSí', '> el turno del lunes\nSí'],
    ['a signature follows', 'format=flowed', 'Hola\r\n-- \r\nAna', 'Hola\n--\nAna'],
  ])('a flowed text is joined where %s', async (_where, format, body, expected) => {
    expect(await bodyOf(typed(`text/plain; charset=utf-8; ${format}`, body))).toBe(expected);
  });
  it.each([
    ['iso-2022-jp', '\u001b$B2q5D\u001b(B', '会議'],
    ['utf-7', 'Reuni+APM-n ma+APE-ana', 'Reunión mañana'],
    ['cp850', Buffer.from([0x61, 0xa4, 0x6f]).toString('latin1'), 'año'],
  ])('a text in %s is decoded', async (charset, body, expected) => {
    const bytes = emlFile([...HEAD, `Content-Type: text/plain; charset=${charset}`], Buffer.from(body, 'latin1'));
    expect(await bodyOf(bytes)).toBe(expected);
  });
  it('a mail that does not name its boundary shows its parts', async () => {
    const body = '--limite\r\nContent-Type: text/plain\r\n\r\nTexto de Errezil.\r\n--limite--\r\n';
    expect(await bodyOf(typed('multipart/mixed', body))).toBe('Texto de Errezil.');
    expect(await bodyOf(typed('multipart/mixed', 'Texto de Errezil.'))).toBe('Texto de Errezil.');
  });
  it.each([
    ['of dashes', '----------'],
    ['of dashes before an empty line', '----------\r\n'],
    ['of signs before an empty line', '--__--__--\r\n'],
    ['of a signature', '--Ana'],
  ])('a line %s is no lost boundary', async (_what, line) => {
    const part = '--limite\r\nContent-Type: text/plain\r\n\r\nTexto de Errezil.\r\n--limite--\r\n';
    const before = `Aviso\r\n${line}\r\nuno`;
    expect(await bodyOf(typed('multipart/mixed', `${before}\r\n\r\n${part}`))).toBe('Texto de Errezil.');
    expect(await bodyOf(typed('multipart/mixed', before))).toMatch(/^Aviso\n-[^]*\nuno$/);
  });
  it('a part of a small mail that does not name its boundary shows its text', async () => {
    const inner = 'Content-Type: multipart/alternative\r\n\r\n--c\r\nContent-Type: text/plain\r\n\r\nHola\r\n--c--\r\n';
    expect(await bodyOf(typed('multipart/mixed; boundary=b', `--b\r\n${inner}--b--\r\n`))).toBe('Hola');
  });
  it('a mail that came back shows why', async () => {
    const parts = [
      { headers: ['Content-Type: text/plain'], body: 'No se pudo entregar.' },
      { headers: ['Content-Type: message/delivery-status'], body: 'Diagnostic-Code: smtp; 550 usuario desconocido' },
      { headers: ['Content-Type: text/rfc822-headers'], body: 'Subject: Aviso de Beasain' },
    ];
    const { document, attachments } = await readWith(reader, mixedMail(HEAD, parts, 'report'));
    expect(document.text).toMatch(/entregar\.\n\nDiagnostic-Code: smtp; 550 usuario desconocido\n\nSubject: Aviso/);
    expect(attachments).toEqual([]);
  });
  it('a text that PGP encrypted is named as such', async () => {
    const body = 'Hola\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA5f3\r\n-----END PGP MESSAGE-----\r\n';
    const { document, report } = await readWith(reader, typed('text/plain', body));
    expect(document.text).toMatch(/\n\nHola\nEl contenido está cifrado para su destinatario/);
    expect(report?.parts[0]).toMatchObject({ leftOut: [{ reason: 'ENCRYPTED', count: 1 }] });
  });
});

describe('files inside mails', () => {
  it('a digest gives its mails', async () => {
    const digest = `${HEAD.join('\r\n')}\r\nContent-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n\r\nFrom: a@example.org\r\nSubject: Uno\r\n\r\nPrimero\r\n--b\r\n\r\nFrom: b@example.org\r\nSubject: Dos\r\n\r\nSegundo\r\n--b--\r\n`;
    const { attachments } = await readWith(reader, digest);
    expect(attachments.map(({ bytes }) => /Subject: (\w+)/.exec(bytes.toString())?.[1])).toEqual(['Uno', 'Dos']);
  });
  it('winmail.dat gives its text and its files', async () => {
    const tnef = outlookMessage('La junta será en junio.', 'orden del día.txt', 'Punto único');
    const parts = [
      {
        headers: ['Content-Type: application/ms-tnef; name=winmail.dat', 'Content-Transfer-Encoding: base64'],
        body: tnef.toString('base64'),
      },
    ];
    const { document, attachments } = await readWith(reader, mixedMail(HEAD, parts));
    expect(document.text).toMatch(/La junta será en junio\.$/);
    expect(attachments.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
      ['orden del día.txt', 'Punto único'],
    ]);
    const alone = await readWith(new TnefReader(), tnef);
    expect(alone.document.text).toMatch(/^Subject: Convocatoria\nAttachments: orden del día\.txt/);
    expect((await detectFormat({ name: 'winmail.dat', bytes: tnef })).reader).toBe('tnef');
  });
  it('winmail.dat with a faulty text stays an attachment of the mail', async () => {
    const tnef = tnefFile(attribute(0x69003, properties({ 0x0037: 'Convocatoria', 0x1009: Buffer.from('faulty') })));
    const parts = [
      { headers: ['Content-Type: text/plain'], body: 'Va la convocatoria.' },
      {
        headers: ['Content-Type: application/ms-tnef; name=winmail.dat', 'Content-Transfer-Encoding: base64'],
        body: tnef.toString('base64'),
      },
    ];
    const { document, attachments } = await readWith(reader, mixedMail(HEAD, parts));
    expect(document.text).toMatch(/Attachments: winmail\.dat\n\nVa la convocatoria\.$/);
    expect(attachments).toEqual([{ name: 'winmail.dat', bytes: tnef }]);
    await expect(readWith(new TnefReader(), tnef)).rejects.toThrow(DamagedFile);
  });
  it('a mailbox gives each of its mails, unquoted', async () => {
    const mbox = [1, 2, 3]
      .map((n) => `From a@example.org Wed Jan 14 10:00:0${n} 2026\nSubject: Carta ${n}\n\nHola\n>From ahora\n\n`)
      .join('');
    const { document, attachments, report } = await readWith(new MboxReader(), mbox);
    expect(document.text).toBe('Buzón con 3 correos.');
    expect(attachments.map(({ name }) => name)).toEqual([1, 2, 3].map((n) => `correo-0000${n}.eml`));
    expect(attachments[2]?.bytes.toString()).toMatch(/^Subject: Carta 3\n\nHola\nFrom ahora/);
    expect(report?.parts).toEqual([{ kind: 'MESSAGE', counted: 3, read: 3, leftOut: [] }]);
    expect((await detectFormat({ name: 'Archivados', bytes: Buffer.from(mbox) })).reader).toBe('mbox');
  });
});

describe('signed content', () => {
  const signed = new SignedReader();
  it.each([
    ['decreto.pdf.p7m', Buffer.from('%PDF-'), 'decreto.pdf'],
    ['decreto.txt.p7m.p7m', Buffer.from('Decreto'), 'decreto.txt'],
    ['smime.p7m', Buffer.from('Content-Type: text/plain\r\n\r\nHola'), 'smime.eml'],
  ])('the file inside %s becomes a document', async (name, content, inner) => {
    for (const bytes of [signedFile(content), signedFile(signedFile(content))]) {
      const { attachments, document } = await readWith(signed, bytes, {}, name);
      expect(attachments).toEqual([{ name: inner, bytes: content }]);
      expect(document.text).toBe(`Contenido firmado: ${inner}`);
    }
  });
  it('signed content in base64, with its armour, is read', async () => {
    const armoured = `-----BEGIN PKCS7-----\n${signedFile(Buffer.from('Hola')).toString('base64')}\n-----END PKCS7-----\n`;
    const extraction = await new InlineSource().extract({ name: 'nota.txt.p7m', bytes: Buffer.from(armoured) });
    expect(extraction.attachments).toEqual([{ name: 'nota.txt', bytes: Buffer.from('Hola') }]);
  });
  it('encrypted content and a signature alone say what they are', async () => {
    await expect(readWith(signed, encryptedFile())).rejects.toThrow(EncryptedContent);
    await expect(readWith(signed, signedFile(null))).rejects.toThrow(UnsupportedFile);
  });
  it('a mail that is signed opaquely has its text', async () => {
    const inner = Buffer.from(
      'Content-Type: text/plain; charset=utf-8\r\n\r\nLa notificación se entiende practicada.\r\n',
    );
    const mail = emlFile(
      [...HEAD, 'Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m'],
      signedFile(inner),
    );
    expect(await bodyOf(mail)).toBe('La notificación se entiende practicada.');
  });
  it.each<[string, Buffer, new (...values: never[]) => Error]>([
    ['certificates alone', signedFile(null), UnsupportedFile],
    ['compressed content', compressedFile(), DamagedFile],
    ['a faulty container', Buffer.from('faulty'), DamagedFile],
  ])('a mail around %s is read and carries it', async (_what, container, refusal) => {
    const mail = emlFile(
      [...HEAD, 'Content-Type: application/pkcs7-mime', 'Content-Transfer-Encoding: base64'],
      container.toString('base64'),
    );
    const { document, attachments } = await readWith(reader, mail);
    expect(document.text).toMatch(/^From: ana@example\.org\nSubject: Riego\nAttachments: smime\.p7m$/);
    expect(attachments).toEqual([{ name: 'smime.p7m', bytes: container }]);
    await expect(new InlineSource().extract({ name: 'smime.p7m', bytes: container })).rejects.toThrow(refusal);
  });
  it('a clear signature is no attachment', async () => {
    const mail = `${HEAD.join('\r\n')}\r\nContent-Type: multipart/signed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHola\r\n--b\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\nContent-Disposition: attachment; filename=smime.p7s\r\n\r\nx\r\n--b--\r\n`;
    const { attachments, report } = await readWith(reader, mail);
    const leftOut = [{ reason: 'SIGNATURE', count: 1 }];
    expect([attachments, report?.parts]).toEqual([[], [{ kind: 'MIME_PART', counted: 2, read: 1, leftOut }]]);
  });
  it('an encrypted mail is found by its headers and says so', async () => {
    const mail = emlFile([...HEAD, 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data'], encryptedFile());
    const { document, report } = await readWith(reader, mail);
    expect(document.text).toMatch(/Subject: Riego\n\nEl contenido está cifrado/);
    expect(report?.parts[0]?.leftOut).toEqual([{ reason: 'ENCRYPTED', count: 1 }]);
  });
  it('a container gives its files and leaves its signatures out', async () => {
    const entries = {
      mimetype: 'application/vnd.etsi.asic-e+zip',
      'anexo.txt': 'El solar',
      'META-INF/signatures0.xml': '<x/>',
    };
    const bytes = zipFile(entries, { level: 0 });
    const { attachments, report } = await readWith(new AsicReader(), bytes);
    expect(attachments).toEqual([{ name: 'anexo.txt', bytes: Buffer.from('El solar') }]);
    expect(report?.parts).toEqual([
      { kind: 'RELATION', counted: 3, read: 1, leftOut: [{ reason: 'SIGNATURE', count: 2 }] },
    ]);
    expect((await detectFormat({ name: 'contrato.asice', bytes })).reader).toBe('asic');
  });
});
