import { DamagedFile, LimitExceeded } from '../src/errors';
import { EmlReader, MsgReader } from '../src/readers/mail';
import { emlFile, type MailPart, mixedMail } from './support/open-files';
import { msgFile } from './support/msg-file';
import { readWith } from './support/reading';

const reader = new EmlReader();
const HEADERS = [
  'From: =?utf-8?Q?Ana_Mu=C3=B1oz?= <ana@example.org>',
  'To: Luis <luis@example.org>, eva@example.org',
  'Cc: Equipo: a@example.org, b@example.org;',
  'Date: Tue, 05 Mar 2024 12:00:00 +0200',
  'Subject: =?iso-8859-1?Q?P=F3liza?= 2024',
];
const attached = (name: string, body: string, type = 'application/octet-stream'): MailPart => ({
  headers: [`Content-Type: ${type}; name="${name}"`, `Content-Disposition: attachment; filename="${name}"`],
  body,
});
const plainPart: MailPart = { headers: ['Content-Type: text/plain; charset=utf-8'], body: 'Hola' };

describe('a mail', () => {
  it('a mail begins with sender, recipients, date and subject', async () => {
    const { document } = await readWith(reader, emlFile(HEADERS, 'Adjunto la póliza.\r\n\r\nUn saludo\r\n'));
    expect(document.text).toBe(
      [
        'From: Ana Muñoz <ana@example.org>',
        'To: Luis <luis@example.org>, eva@example.org',
        'Cc: a@example.org, b@example.org',
        'Date: 2024-03-05 10:00 UTC',
        'Subject: Póliza 2024',
        '',
        'Adjunto la póliza.',
        '',
        'Un saludo',
      ].join('\n'),
    );
    expect(document).toMatchObject({
      title: 'Póliza 2024',
      author: 'Ana Muñoz <ana@example.org>',
      date: '2024-03-05T10:00:00.000Z',
    });
  });
  it.each([
    ['windows-1252', Buffer.from('cuesta 30 \u0080', 'latin1')],
    ['iso-8859-15', Buffer.from('cuesta 30 \u00a4', 'latin1')],
    ['utf-8', Buffer.from('cuesta 30 €')],
  ])('a mail in %s is read', async (charset, body) => {
    const bytes = emlFile([...HEADERS, `Content-Type: text/plain; charset=${charset}`], body);
    expect((await readWith(reader, bytes)).document.text).toMatch(/cuesta 30 €$/);
  });
  it('a mail with only HTML gives the text of the HTML', async () => {
    const html =
      '<style>p{}</style><p>Hola,</p><table><tr><th>Año</th><th>Total</th></tr><tr><td>2023</td><td>5</td></tr></table>';
    const { document } = await readWith(reader, emlFile([...HEADERS, 'Content-Type: text/html; charset=utf-8'], html));
    expect(document.text).toMatch(/\n\nHola,\n\nAño \| Total\n2023 \| 5$/);
    expect(document.tables).toHaveLength(1);
  });
  it('attachments are separate files, mails included', async () => {
    const inner = 'Subject: dentro\n\nMail en un mail';
    const parts = [
      plainPart,
      attached('../../etc/acta.txt', 'uno'),
      attached('acta.txt', 'dos'),
      { headers: ['Content-Type: message/rfc822'], body: inner },
    ];
    const { document, attachments } = await readWith(reader, mixedMail(HEADERS, parts));
    expect(attachments.map(({ name, bytes }) => [name, bytes.toString().replaceAll('\r', '').trim()])).toEqual([
      ['acta.txt', 'uno'],
      ['acta (2).txt', 'dos'],
      ['message.eml', inner],
    ]);
    expect(document.text).toContain('Attachments: acta.txt, acta (2).txt, message.eml');
    expect(document.text).not.toContain('Mail en un mail');
  });
  it('pictures in the body are not attachments', async () => {
    const html: MailPart = { headers: ['Content-Type: text/html'], body: '<p>Hola<img src="cid:logo@x"></p>' };
    const logo: MailPart = {
      headers: ['Content-Type: image/png', 'Content-ID: <logo@x>', 'Content-Disposition: inline; filename="logo.png"'],
      body: 'png',
    };
    expect((await readWith(reader, mixedMail(HEADERS, [html, logo], 'related'))).attachments).toEqual([]);
  });
  it('a mail with too many attachments is refused', async () => {
    const bytes = mixedMail(HEADERS, [attached('a', 'a'), attached('b', 'b')]);
    await expect(readWith(reader, bytes, { entries: 1 })).rejects.toThrow(LimitExceeded);
  });
  it('an empty mail is damaged, endless nesting is refused by its limit', async () => {
    await expect(readWith(reader, '')).rejects.toThrow(DamagedFile);
    await expect(readWith(reader, nested(400))).rejects.toThrow(LimitExceeded);
  });
});

/** Parts inside parts. */
function nested(depth: number): string {
  let mail = 'Subject: x\r\n';
  for (let level = 0; level < depth; level += 1)
    mail += `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\n`;
  return mail;
}

describe('a mail of Outlook', () => {
  const outlook = new MsgReader();
  it('an Outlook mail begins with sender, recipients, date and subject', async () => {
    const { document } = await readWith(outlook, msgFile({ subject: 'Póliza', body: 'Hola.\r\n\r\nUn saludo' }));
    expect(document).toMatchObject({
      text: 'From: Ana Muñoz <ana@example.org>\nTo: Luis <luis@example.org>\nDate: 2024-03-05 10:00 UTC\nSubject: Póliza\n\nHola.\n\nUn saludo',
      title: 'Póliza',
      author: 'Ana Muñoz <ana@example.org>',
      date: '2024-03-05T10:00:00.000Z',
    });
  });
  it.each([
    ['in the code page of an old one', { oldBody: Buffer.from('\u00cc\u00e8\u00f0', 'latin1'), codePage: 1251 }, 'Мир'],
    ['in RTF alone', { rtf: "{\\rtf1\\ansi Ma\\'f1ana\\par}" }, 'Mañana'],
    [
      'in RTF that was HTML',
      {
        rtf: "{\\rtf1\\ansi\\fromhtml1{\\*\\htmltag64 <p>}\\htmlrtf oculto\\htmlrtf0 Ma\\'f1ana{\\*\\htmltag72 </p>}}",
      },
      'Mañana',
    ],
    ['in HTML alone', { html: '<p>Mañana</p>', codePage: 65001 }, 'Mañana'],
  ])('an Outlook mail is read %s', async (_how, content, end) => {
    expect((await readWith(outlook, msgFile(content))).document.text.split('\n\n').at(-1)).toBe(end);
  });
  it('attachments of Outlook are separate files, mails included', async () => {
    const mail = { subject: 'dentro', body: 'Mail en un mail' };
    const file = msgFile({
      body: 'Hola',
      attachments: [
        { name: 'acta.txt', bytes: Buffer.alloc(10_000, 'a') },
        { name: 'dentro', mail },
      ],
    });
    const { attachments } = await readWith(outlook, file);
    expect(attachments.map(({ name }) => name)).toEqual(['acta.txt', 'dentro.msg']);
    expect(attachments[0]?.bytes).toEqual(Buffer.alloc(10_000, 'a'));
    expect((await readWith(outlook, attachments[1]?.bytes ?? '')).document.text).toContain('Mail en un mail');
  });
  it('only pictures in the body are left out of attachments', async () => {
    const attachments = ['logo', 'foto'].map((name) => ({
      name: `${name}.png`,
      bytes: Buffer.from('png'),
      contentId: name,
    }));
    const file = msgFile({ html: '<p>Hola</p><img src="cid:logo">', attachments });
    expect((await readWith(outlook, file)).attachments.map(({ name }) => name)).toEqual(['foto.png']);
  });
  it.each([
    ['something else', Buffer.from('hola')],
    ['cut', msgFile({ body: 'Hola' }).subarray(0, 1_600)],
  ])('an Outlook mail that is %s is damaged', async (_how, bytes) => {
    await expect(readWith(outlook, bytes)).rejects.toThrow(DamagedFile);
  });
  it('an Outlook mail with a cycle of parts is damaged', async () => {
    const bytes = msgFile({ body: 'Hola', attachments: [{ name: 'a', bytes: Buffer.alloc(10_000) }] });
    const table = 512 * (bytes.readInt32LE(76) + 1);
    for (let slot = 0; slot < 8; slot += 1) {
      const circle = Buffer.from(bytes);
      circle.writeInt32LE(slot, table + slot * 4);
      const result: unknown = await readWith(outlook, circle).catch((error: unknown) => error);
      if (result instanceof Error) expect(result).toBeInstanceOf(DamagedFile);
    }
  });
});
