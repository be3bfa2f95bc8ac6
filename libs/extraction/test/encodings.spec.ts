import { encode } from 'iconv-lite';
import { cleanText } from '../src/clean-text';
import { TextReader } from '../src/readers/text';
import { readWith } from './support/reading';

const reader = new TextReader();
const textOf = async (bytes: Buffer): Promise<string> => (await readWith(reader, bytes)).document.text;

const SPANISH =
  'La comisión de la sesión acordó según el artículo décimo la exención para el señor Muñoz. ¿Qué día? El año próximo.';
const CATALAN =
  'El consell aprova l’ordenança de neteja i la gestió dels camins rurals; això és per a tothom, àdhuc pagès.';
const PORTUGUESE =
  'A câmara não aprovou as ações da cooperativa; a decisão será tomada na próxima reunião da comissão.';
const FRENCH =
  'Le règlement intérieur a été adopté; la réunion aura lieu à la mairie après les élections, dès février.';
const GERMAN = 'Die Gebühr für die Überprüfung der Geräte wird im nächsten Jahr erhöht, schließlich auch für Schüler.';
const POLISH =
  'Uchwała rady gminy wchodzi w życie po upływie czternastu dni od dnia ogłoszenia. Wójt jest zobowiązany do jej wykonania i złożenia sprawozdania.';
const CZECH =
  'Zastupitelstvo obce schválilo rozpočet na příští rok. Občané se mohou vyjádřit písemně nebo ústně při jednání, které je veřejné a přístupné všem.';
const RUSSIAN =
  'Совет утвердил бюджет на следующий год. Жители могут подать свои замечания в письменной форме до конца месяца.';
const GREEK =
  'Το συμβούλιο ενέκρινε τον προϋπολογισμό για το επόμενο έτος. Οι κάτοικοι μπορούν να υποβάλουν τις παρατηρήσεις τους.';
const TURKISH =
  'Belediye meclisi gelecek yılın bütçesini onayladı. Vatandaşlar görüşlerini yazılı olarak bildirebilir ve toplantıya katılabilirler.';

describe('the encoding of a text without a mark', () => {
  it.each([
    ['cp850', SPANISH],
    ['cp437', SPANISH.replace('¿', '')],
    ['macintosh', SPANISH],
    ['windows-1252', SPANISH],
    ['iso-8859-1', SPANISH],
    ['cp850', CATALAN.replace('’', "'")],
    ['windows-1252', CATALAN],
    ['macintosh', CATALAN],
    ['cp850', PORTUGUESE],
    ['windows-1252', PORTUGUESE],
    ['cp850', FRENCH],
    ['windows-1252', FRENCH],
    ['cp850', GERMAN],
    ['windows-1252', GERMAN],
    ['macintosh', GERMAN],
    ['iso-8859-15', `${SPANISH} Cuesta 30 €.`],
    ['windows-1252', `${SPANISH} Cuesta 30 €.`],
    ['windows-1250', POLISH],
    ['iso-8859-2', POLISH],
    ['windows-1250', CZECH],
    ['windows-1251', RUSSIAN],
    ['windows-1253', GREEK],
    ['windows-1254', TURKISH],
    ['iso-8859-9', TURKISH],
    ['utf16le', SPANISH],
    ['utf16be', SPANISH],
    ['utf32le', SPANISH],
    ['utf32be', SPANISH],
    ['windows-1252', 'Martín'],
    ['cp850', 'Martín'],
    ['macintosh', 'Línea 12 averiada'],
    ['macintosh', 'AÑO 2019'],
    ['macintosh', 'Niño, caña, leña'],
    ['macintosh', 'Andereñoa Iruñean bizi da eta ikurriña du etxean.'],
    ['cp850', '1.º ESO; 2.ª planta; 30 m²; ½ jornada; «título»'],
    ['cp437', '╔══════════╗\n║ Facturación ║\n║ Núñez ║\n╚══════════╝'],
    ['windows-1252', 'The “plan” isn’t a dog’s life – fee: £250, 20 °C'],
    ['macintosh', 'MÜLLER GMBH, ÄRZTEHAUS, ÖLWECHSEL'],
    ['cp850', 'Größe: 12 m²; Straße: Königsallee 5, Köln'],
    ['macintosh', 'ÉTAT DES LIEUX — RÉUNION DU 3 DÉCEMBRE À ÉVREUX'],
    ['cp852', 'Umowa najmu lokalu: czynsz płatny do dziesiątego każdego miesiąca.'],
    ['iso-8859-2', 'Zażółć gęślą jaźń. Łódź, Gdańsk, święto, źródło.'],
    ['windows-1254', 'Sayın yetkili, başvurunuz işleme alınmıştır.'],
    ['iso-8859-9', 'İstanbul Büyükşehir Belediyesi, Şişli, Ağrı, Iğdır'],
    ['windows-1251', 'Общинският съвет прие бюджета за следващата година.'],
  ])('a text in %s keeps its letters: %s', async (encoding, text) => {
    expect(await textOf(encode(text, encoding))).toBe(text);
  });

  it('a few stray bytes leave the rest of a UTF-8 text as it is', async () => {
    const bytes = Buffer.concat([Buffer.from(SPANISH), Buffer.from(' a\u00f1o ', 'latin1'), Buffer.from(SPANISH)]);
    expect(await textOf(bytes)).toBe(`${SPANISH} año ${SPANISH}`);
    expect(await textOf(Buffer.from(SPANISH).subarray(0, -1))).toBe(SPANISH.slice(0, -1));
    expect(await textOf(Buffer.concat([Buffer.from(SPANISH), Buffer.from([0xc3])]))).toContain(SPANISH);
  });
});

describe('a text of several programs', () => {
  it('each line is read in its own encoding', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `línea ${index} de la sesión`);
    const bytes = lines.map((line, index) => encode(`${line}\n`, index % 2 === 0 ? 'utf8' : 'cp850'));
    expect(await textOf(Buffer.concat(bytes))).toBe(`${lines.join('\n')}\n`);
  });
  it('a few controls in plain letters are no wide encoding', async () => {
    const text = 'Texto\u000bcon\u000ccontroles\u001b[31m rojo\u001b[0m\u0007 fin';
    expect(await textOf(Buffer.from(text))).toBe('Texto\ncon\ncontroles[31m rojo[0m fin');
  });
});

describe('characters that no reader sees', () => {
  it.each([
    ['soft hyphens', 'mu\u00adseo\u00adgra\u00adfía', 'museografía'],
    ['zero-width spaces', 'AX\u200b-4471-B', 'AX-4471-B'],
    ['word joiners', 'Ur\u2060bión', 'Urbión'],
    ['joiners between Latin letters', 'manu\u200cscri\u200dto', 'manuscrito'],
    ['combining accents', 'Cafe\u0301', 'Café'],
  ])('%s do not split a word', (_what, text, spelling) => {
    expect(cleanText(text)).toBe(spelling);
  });

  it('joiners stay where they have a meaning', () => {
    for (const text of ['می\u200cخواهم', '👩\u200d🔬', 'क्\u200dष']) expect(cleanText(text)).toBe(text);
  });

  it('ligatures stay literal', () => {
    expect(cleanText('ﬁchero oﬃcial ＡＢＣ')).toBe('ﬁchero oﬃcial ＡＢＣ');
  });
});

describe('calendars and cards', () => {
  it('a line that is folded inside a word is joined', async () => {
    const text = await textOf(
      Buffer.from('BEGIN:VCALENDAR\r\nSUMMARY:Visita al archivo munici\r\n pal\\, sala B\r\nEND:VCALENDAR\r\n'),
    );
    expect(text).toContain('SUMMARY:Visita al archivo municipal, sala B');
  });
  it('a card in quoted-printable shows its letters', async () => {
    const card = 'BEGIN:VCARD\r\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Jos=C3=A9 Mar=\r\n=C3=ADa\r\nEND:VCARD\r\n';
    expect(await textOf(Buffer.from(card))).toContain('FN:José María');
  });
  it('a card in Latin-1 that names its charset shows its letters', async () => {
    const card = 'BEGIN:VCARD\nFN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Bego=F1a\nEND:VCARD\n';
    expect(await textOf(Buffer.from(card))).toContain('FN:Begoña');
  });
});

describe('a text beyond the limit', () => {
  it('its beginning and its end are read, with a note and a report', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `Línea ${index} del registro.`).join('\n');
    const { document, report } = await readWith(reader, lines, { characters: 2_000 });
    expect(document.text).toMatch(
      /^Línea 0 del registro\.\n[^]*\[Faltan aquí [\d.]+ bytes[^]*Línea 999 del registro\.$/,
    );
    const [part] = report?.parts ?? [];
    expect(part).toMatchObject({ kind: 'BYTE', counted: Buffer.byteLength(lines), leftOut: [{ reason: 'LIMIT' }] });
    expect(document.text.length).toBeLessThan(2_200);
  });
  it('a wide text is cut between characters', async () => {
    const bytes = encode('ñandú y otras aves del páramo. '.repeat(200), 'utf16le', { addBOM: true });
    expect((await readWith(reader, bytes, { characters: 1_001 })).document.text).not.toMatch(/[\ufffd\u6100-\u7a00]/);
  });
});
