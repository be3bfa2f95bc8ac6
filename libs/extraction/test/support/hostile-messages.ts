import type { AcquiredFile } from '../../src/reader';
import { der, encryptedFile, signedFile } from './signed-files';
import { attribute, properties, tnefFile } from './tnef-file';
import { zeros, zipFile } from './zip-file';

const MEGABYTE = 1_000_000;

const file = (name: string, bytes: Buffer | string): AcquiredFile => ({ name, bytes: Buffer.from(bytes as string) });

const HEAD = 'From: a@example.org\r\nSubject: x\r\n';

const multiparts = (depth: number): string => {
  let mail = HEAD;
  for (let level = 0; level < depth; level += 1)
    mail += `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`;
  return `${mail}Content-Type: text/plain\r\n\r\nhola`;
};

const signedDeep = (depth: number): Buffer => {
  let inner: Buffer = Buffer.from('hola');
  for (let level = 0; level < depth; level += 1) inner = signedFile(inner);
  return inner;
};

const opaqueDeep = (depth: number): Buffer => {
  let mail: Buffer = Buffer.from('Content-Type: text/plain\r\n\r\nhola');
  for (let level = 0; level < depth; level += 1)
    mail = Buffer.concat([
      Buffer.from('Content-Type: application/pkcs7-mime; smime-type=signed-data\r\n\r\n'),
      signedFile(mail),
    ]);
  return Buffer.concat([Buffer.from(HEAD), mail]);
};

/** Elements inside elements, each of the kind that signed content has. */
const derDeep = (depth: number): Buffer => {
  let inner: Buffer = Buffer.from('0500', 'hex');
  for (let level = 0; level < depth; level += 1) inner = der(0x30, inner);
  return der(0x30, Buffer.from('06092a864886f70d010702', 'hex'), der(0xa0, inner));
};

const lyingLength = (): Buffer => {
  const bytes = signedFile(Buffer.from('hola'));
  bytes[1] = 0x84;
  return Buffer.concat([bytes.subarray(0, 2), Buffer.from('7fffffff', 'hex'), bytes.subarray(2)]);
};

const tnefOf = (length: number): Buffer => {
  const bytes = tnefFile(attribute(0x2800c, Buffer.from('hola')));
  bytes.writeUInt32LE(length, 11);
  return bytes;
};

const countOf = (count: number): Buffer => {
  const bytes = properties({ 0x1000: 'hola' });
  bytes.writeUInt32LE(count, 0);
  return tnefFile(attribute(0x69003, bytes));
};

const mails = (): AcquiredFile[] => [
  file('partes-hondas.eml', multiparts(5_000)),
  file(
    'partes-muchas.eml',
    `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(30_000)}`,
  ),
  file('limite-propio.eml', `${HEAD}Content-Type: multipart/mixed; boundary="-"\r\n\r\n${'-'.repeat(MEGABYTE)}`),
  file('limite-repetido.eml', `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--bb'.repeat(500_000)}`),
  file('cabecera-larga.eml', `From: a@example.org\r\nSubject: ${'=?utf-8?Q?a?= '.repeat(200_000)}\r\n\r\nhola`),
  file('pliegues.eml', `From: a@example.org\r\nX: ${'\r\n '.repeat(500_000)}\r\n\r\nhola`),
  file('imprimible.eml', `${HEAD}Content-Transfer-Encoding: quoted-printable\r\n\r\n${'='.repeat(2 * MEGABYTE)}`),
  file(
    'base64.eml',
    `${HEAD}Content-Transfer-Encoding: base64\r\nContent-Type: text/plain\r\n\r\n${'A'.repeat(3 * MEGABYTE)}`,
  ),
  file('juego.eml', `${HEAD}Content-Type: text/plain; charset="${'x'.repeat(MEGABYTE)}"\r\n\r\nhola`),
  file('etiquetas.eml', `${HEAD}Content-Type: text/html\r\n\r\n${'<style>'.repeat(300_000)}`),
  file(
    'cifrado.eml',
    Buffer.concat([Buffer.from(`${HEAD}Content-Type: application/pkcs7-mime\r\n\r\n`), encryptedFile()]),
  ),
  file('firmas-en-firmas.eml', opaqueDeep(40)),
  file('buzon-infinito.mbox', 'From a@b.es Wed Jan 14 10:00:00 2026\nSubject: x\n\nx\n\n'.repeat(25_000)),
  file('buzon-vacio.mbox', 'From x\n'.repeat(200_000)),
];

const containers = (): AcquiredFile[] => [
  file('firmas-en-firmas.p7m', signedDeep(60)),
  file('der-hondo.p7m', derDeep(3_000)),
  file('longitud-falsa.p7m', lyingLength()),
  file('cortado.p7m', signedFile(Buffer.alloc(5_000, 1)).subarray(0, 2_000)),
  file('cifrado.p7m', encryptedFile()),
  file('suelta.p7s', signedFile(null)),
  file('base64.p7m', 'A'.repeat(2 * MEGABYTE)),
  file('bomba.asice', zipFile({ mimetype: 'application/vnd.etsi.asic-e+zip', 'a.txt': zeros(100 * MEGABYTE) })),
  file(
    'solo-firmas.asice',
    zipFile({ mimetype: 'application/vnd.etsi.asic-e+zip', 'META-INF/signatures.xml': '<x/>' }),
  ),
  file('atributo-largo.tnef', tnefOf(0x7fffffff)),
  file('propiedades.tnef', countOf(0x7fffffff)),
  file('adjuntos.tnef', tnefFile(...Array.from({ length: 30_000 }, () => attribute(0x69002, Buffer.alloc(2))))),
  file('rtf-roto.tnef', tnefFile(attribute(0x69003, properties({ 0x1009: Buffer.alloc(40, 7) })))),
];

const texts = (): AcquiredFile[] => [
  file('tarjeta.vcf', `BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:${'=C3=\n'.repeat(200_000)}\nEND:VCARD`),
  file('calendario.ics', `BEGIN:VCALENDAR\n${'\n '.repeat(MEGABYTE)}END:VCALENDAR`),
  file('medias-letras', Buffer.alloc(2 * MEGABYTE, 0xc3)),
  file('continuaciones.txt', Buffer.alloc(2 * MEGABYTE, 0x80)),
  file(
    'sin-pagina.mhtml',
    'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b--',
  ),
];

/** Mails, signed content and texts that were made to do harm. */
export const hostileMessages = (): AcquiredFile[] => [...mails(), ...containers(), ...texts()];
