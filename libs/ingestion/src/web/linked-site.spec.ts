import { defaultLanguages } from '@acervo/analysis';
import { HashingEmbedder } from '@acervo/models';
import { readConfig } from '@acervo/platform-config';
import { MemoryRates } from '@acervo/platform-counters';
import { Egress, EgressConfig } from '@acervo/platform-egress';
import { LinkedSite, type SiteText, WebSite } from '@acervo/platform-testing';
import type { Candidate } from './research-state';
import { SiteResearch } from './site-research';
import { Topic } from './topic';

/** Three of the words of the first subject: most of its pages have none or one of them. */
const TOPIC = 'riego por goteo en huertos';
const [RELEVANT, OTHERS] = [30, 170];
const SUBJECTS = [
  'riego goteo huerto acequia bomba filtro caudal turno balsa tubería sequía almendro surco presión sensor humedad pozo compuerta embalse regante válvula aspersor contador cultivo',
  'museo sala cerámica retrato escultura vitrina restaurador catálogo exposición pintor óleo mecenas archivo grabado tapiz moneda visita guía donación lienzo marco taller acuarela barroco',
  'train station platform timetable engine carriage signal ticket driver tunnel bridge freight gauge junction whistle conductor delay express suburb track sleeper depot luggage compartment',
  'choir rehearsal soprano tenor conductor hymn chapel organ melody rhythm concert score voice audience harmony festival lyric psalm chorus pianist violin applause stage song',
  'cocina harina horno masa levadura sartén cebolla caldo receta mantel postre azúcar cuchara aceite hervor pimienta ensalada queso merienda vinagre asado salsa canela almíbar',
  'telescope orbit comet nebula galaxy eclipse lens observatory planet crater spectrum satellite radiation meteor asteroid gravity supernova dwarf horizon mirror constellation parallax dust pulsar',
  'equipo delantero portero gol árbitro estadio liga entrenador balón penalti defensa afición torneo fichaje vestuario empate prórroga cantera césped derbi tarjeta contraataque capitán remate',
].map((words) => words.split(' '));
const COMMON = [
  ['durante', 'el año pasado', 'según los vecinos', 'con muchas horas', 'antes del verano'],
  ['during', 'the last year', 'as people say', 'with many hours', 'before the summer'],
] as const;
const ENGLISH = new Set([2, 3, 5]);

/** A page of a subject: some of its words, drawn by the number of the page, among words that all pages share. */
const textOf = (subject: number, number: number): SiteText => {
  const words = SUBJECTS[subject] ?? [];
  const common = COMMON[ENGLISH.has(subject) ? 1 : 0];
  const drawn = Array.from(
    { length: 14 },
    (_, at) => words[(number * 7 + at * (5 + (number % 7)) + at) % words.length],
  );
  const sentences = drawn.map((word, at) => `${word} ${common[(number + at) % common.length]} ${drawn[(at + 3) % 14]}`);
  return { title: `${drawn[0]} ${drawn[5]} ${number}`, text: `${sentences.join('. ')}.` };
};

const texts = [
  ...Array.from({ length: RELEVANT }, (_, at) => textOf(0, at)),
  ...Array.from({ length: OTHERS }, (_, at) => textOf(1 + (at % (SUBJECTS.length - 1)), at)),
];

describe('research of a linked site with traps', () => {
  let site: WebSite;
  let candidates: Candidate[];
  const linked = new LinkedSite(texts, 1);
  beforeAll(async () => {
    site = await WebSite.open();
    linked.serve(site);
    const egress = new Egress(readConfig(EgressConfig, site.environment), new MemoryRates());
    const topic = await Topic.of(TOPIC, new HashingEmbedder(), defaultLanguages);
    const question = { group: 'group-1', startUrls: [site.url('/')], topic, languages: defaultLanguages };
    const research = new SiteResearch(egress, question);
    await research.begin();
    while ((await research.step()) !== null);
    candidates = research.candidates();
  });
  afterAll(() => site.close());

  it('finds nine in ten pages of the topic among its first candidates', () => {
    const relevant = new Set(Array.from({ length: RELEVANT }, (_, at) => texts[at]?.title));
    const found = candidates.slice(0, 40).filter(({ title }) => relevant.has(title));
    expect(found.length).toBeGreaterThanOrEqual(27);
  });

  it('fetches no forbidden page', () => {
    expect(site.requests.filter(({ path }) => linked.isForbidden(path))).toEqual([]);
  });

  it('asks for each address once, and for few months of an endless calendar', () => {
    const paths = site.requests.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => path.startsWith('/calendar')).length).toBeLessThanOrEqual(25);
  });

  it('lists no text twice and no page that stands for an absent one', () => {
    const titles = candidates.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).not.toContain('Sorry');
  });
});
