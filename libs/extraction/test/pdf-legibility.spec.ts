import type { RawLine } from '../src/reader';
import { isIllegible } from '../src/readers/pdf/legibility';

const line = (text: string): RawLine => ({
  text,
  size: 10,
  bold: false,
  top: 0.5,
  bottom: 0.51,
  left: 0.1,
  right: 0.9,
  startsParagraph: true,
});
const judged = (text: string, unnamedShare = 1): boolean => isIllegible(text.split('\n').map(line), unnamedShare);
const SENTENCE =
  'El informe de la presa recomienda revisar las compuertas antes del deshielo y limpiar los canales que riegan la vega con el agua de los turnos';
/** Fonts of the usual order of glyphs number a letter 29 below its code. */
const GLYPHS = -29;
const moved = (text: string, by: number): string =>
  text.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + by));

describe('a page whose fonts do not name its letters', () => {
  it.each([
    'Kanavan korjauksen kustannukset maksaa kunta, ja työt aloitetaan ensi keväänä kun jää on sulanut. Kaikki asukkaat, jotka eivät hyväksy päätöstä, voivat tehdä valituksen kuukauden kuluessa.',
    'A csatorna javításának költségeit az önkormányzat fizeti, és a munkálatok tavasszal kezdődnek, amikor a jég már elolvadt. Minden lakos, aki nem ért egyet a döntéssel, egy hónapon belül panaszt tehet.',
    'Kommunen betalar kostnaderna för reparationen av kanalen och arbetet börjar nästa vår när isen har smält. Alla invånare som inte godkänner beslutet kan överklaga inom en månad.',
    'Kommunen betaler udgifterne til reparation af kanalen, og arbejdet begynder næste forår, når isen er smeltet. Alle beboere, der ikke er enige i beslutningen, kan klage inden for en måned.',
    'Kommunen betaler kostnadene for reparasjonen av kanalen, og arbeidet begynner neste vår når isen har smeltet. Alle innbyggere som ikke er enige i vedtaket kan klage innen en måned.',
    'Cheltuielile pentru repararea canalului sunt plătite de primărie, iar lucrările încep în primăvară, când gheața s-a topit. Toți locuitorii care nu sunt de acord cu hotărârea pot face contestație.',
    'Ubidearen konponketaren gastuak udalak ordainduko ditu eta lanak datorren udaberrian hasiko dira, izotza urtu denean. Erabakiarekin ados ez dauden herritar guztiek helegitea aurkez dezakete hilabeteko epean.',
    SENTENCE,
  ])('is legible in a language with stop words: %s', (text) => {
    expect(judged(text)).toBe(false);
  });
  it.each([
    'Acta de la junta general ordinaria de propietarios',
    'The council approved the budget for next year.',
    'Zastupitelstvo obce schválilo rozpočet na příští rok',
    'Vodní elektrárna Lipno, Hluboká nad Vltavou',
    'FACTURA 2024/0153-B CLIENTE: COMERCIAL HERMANOS GIL',
  ])('is legible with fewer than 20 words: %s', (text) => {
    expect(judged(text)).toBe(false);
  });
  it.each([
    'El informe de la presa Ullibarri recomienda revisar las compuertas antes del deshielo.',
    'El consell comarcal aprova el pressupost per a la neteja dels camins rurals.',
    'The council approved the budget for next year. Residents may comment.',
    'Der Gemeinderat genehmigt den Haushalt des kommenden Jahres einstimmig.',
    'Udalak aurrekontua onartu du eta lanak udaberrian hasiko dira.',
    'Le conseil municipal approuve le budget de la prochaine saison.',
  ])('is illegible with fewer than 20 words that are numbers of glyphs: %s', (text) => {
    expect(judged(moved(text, GLYPHS))).toBe(true);
  });
  it.each([
    ['of figures alone', '1.234,50 98,10 3.000,00\n12,5 % 87,5 % 100 %\n2023 2024 2025'],
    ['of figures with headings', 'Ingresos Gastos Saldo\n1.234,50 98,10 1.136,40\n3.000,00 125,00 2.875,00'],
    ['of few words', 'Memoria Anual\nComunidad Regantes Valdecanal'],
  ])('is legible where it is one %s', (_what, text) => {
    expect(judged(text)).toBe(false);
  });
  it.each([
    ['the next but two letters', moved(SENTENCE, 3)],
    ['capitals', moved(SENTENCE.toLowerCase(), -29)],
    ['other signs', moved(SENTENCE.toLowerCase(), -64)],
  ])('is illegible where they are %s', (_what, text) => {
    expect([judged(text), judged(text, 0.4)]).toEqual([true, false]);
  });
});
