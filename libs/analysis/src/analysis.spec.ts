import fc from 'fast-check';
import {
  defaultLanguages,
  detectLanguage,
  fold,
  knownLanguages,
  type LanguageCode,
  languagesFrom,
  passageTerms,
  queryTerms,
  sentences,
  stopWordShare,
  summarise,
  tokenize,
} from './index';

const pieces = (text: string): string[] => sentences(text).map(({ start, end }) => text.slice(start, end));

describe('language detection', () => {
  it.each([
    ['es', 'La cuota anual sube de 96 a 102 euros por hectárea.'],
    ['en', 'The annual fee rises from 96 to 102 euros per hectare.'],
    ['es', '¿qué pasa con los contratos?'],
    ['en', 'what is the policy'],
    ['de', 'Die Gebühr steigt im nächsten Jahr auf 102 Euro.'],
    ['de', 'wer zahlt die Kosten der Reparatur'],
    ['fr', "La cotisation annuelle passe de 96 à 102 euros par hectare, et l'eau est comprise."],
    ['fr', 'qui paie les frais de réparation'],
    ['pt', 'A quota anual sobe de 96 para 102 euros por hectare e não inclui a água.'],
    ['pt', 'quem paga os custos da reparação'],
    ['it', 'La quota annuale sale da 96 a 102 euro per ettaro e non comprende l’acqua.'],
    ['it', 'chi paga le spese della riparazione'],
  ])('the language %s is detected in: %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });
  it.each([
    ['ca', 'Qui paga les despeses de la reparació dels canals que són de tots?'],
    ['gl', 'Quen paga os gastos da reparación das canles que son de todos?'],
    ['eu', 'Nork ordaintzen ditu guztion ubideen konponketaren gastuak, eta noiz egingo dira lanak?'],
    ['nl', 'Wie betaalt de kosten van de reparatie van het kanaal?'],
    ['sv', 'Vem betalar kostnaderna för reparationen av kanalen som är allas?'],
    ['da', 'Hvem betaler udgifterne til reparation af kanalen, som alle har brug for?'],
    ['nb', 'Hvem betaler kostnadene for reparasjonen av kanalen når den ikke lenger virker?'],
    ['fi', 'Kuka maksaa kanavan korjauksen kustannukset, kun se ei enää toimi?'],
    ['hu', 'Ki fizeti a csatorna javításának költségeit, ha az már nem működik?'],
    ['ro', 'Cine plătește cheltuielile pentru reparația canalului care este al tuturor?'],
    ['es', '¿Quién paga los gastos de la reparación de los canales que son de todos?'],
    ['en', 'Who pays for the repair of the canal that belongs to everybody?'],
  ])('%s is detected when all languages are configured', (language, text) => {
    expect(detectLanguage(text, languagesFrom(knownLanguages.join()))).toBe(language);
  });
  it('the share of stop words is that of the language with most of them', () => {
    expect(stopWordShare(['El', 'canal', 'de', 'riego'])).toBe(0.5);
    expect(stopWordShare(['kun', 'se', 'ei', 'the'])).toBe(0.75);
    expect([stopWordShare(['xqz']), stopWordShare([])]).toEqual([0, 0]);
  });
  it('a list of codes configures the languages', () => {
    expect(languagesFrom('ca, es,ca')).toEqual(['ca', 'es']);
    expect(() => languagesFrom('es,xx')).toThrow(/es, en, de, fr, pt, it, ca, gl/);
    expect(() => languagesFrom('')).toThrow(/list of codes/);
  });
  it('only configured languages are detected', () => {
    expect(detectLanguage('Die Gebühr steigt im nächsten Jahr.', ['es', 'en'])).not.toBe('de');
  });
  it('text without a language gives no result', () => {
    expect(detectLanguage('12345 ---')).toBeNull();
  });
});

describe('tokens', () => {
  it.each([
    ['camión', 'camion', 'camiones'],
    ['canción', 'cancion', 'canciones'],
    ['irrigación', 'irrigacion', 'irrigaciones'],
    ['avería', 'averia', 'averías'],
    ['reunión', 'reunion', 'reuniones'],
    ['técnica', 'tecnica', 'técnicas'],
  ])('%s, %s and %s give the same tokens', (...forms) => {
    expect(new Set(forms.map((form) => tokenize(form, 'es').join())).size).toBe(1);
  });
  it('any word gives the same tokens with and without accents', () => {
    const word = fc.stringMatching(/^[a-záéíóúüñ]{1,14}$/);
    fc.assert(
      fc.property(word, fc.constantFrom('es' as const, 'en' as const), (text, language) => {
        expect(tokenize(text, language)).toEqual(tokenize(fold(text), language));
      }),
    );
  });
  it('an identifier gives tokens for the whole and its parts', () => {
    expect(tokenize('expediente 2024/0153-B', 'es')).toEqual(['expedient', '2024z2fz0153z2dzb', '2024', '0153', 'b']);
  });
  it('a compound name gives tokens for the whole and its parts', () => {
    expect(tokenize('readTimeout', 'en')).toEqual(['readtimeout', 'read', 'timeout']);
    expect(tokenize('readtimeout', 'en')).toEqual(['readtimeout']);
  });
  it.each([
    ['ca', ['administració', 'administracio', 'administracions']],
    ['gl', ['inspección', 'inspeccións']],
    ['nl', ['huurcontract', 'Huurcontracten']],
    ['sv', ['avtal', 'avtalen']],
    ['de', ['Straße', 'Strasse', 'STRASSE']],
    ['de', ['Häuser', 'Hausern']],
    ['fr', ['règlements', 'reglement']],
    ['pt', ['construções', 'construcoes', 'construção', 'construcao']],
    ['pt', ['negociação', 'negociações']],
    ['pt', ['decisão', 'decisões']],
    ['pt', ['reunião', 'reuniões']],
    ['eu', ['liburutegi', 'liburutegia', 'liburutegiaren']],
    ['eu', ['haur', 'haurrak', 'haurrentzako']],
    ['eu', ['tailer', 'tailerrak']],
    ['eu', ['etxea', 'etxean', 'etxera']],
    ['gl', ['asociación', 'asociacións', 'asociacion']],
    ['ca', ['subvenció', 'subvencions']],
    ['it', ['riparazione', 'riparazioni']],
    ['es', ['acta', 'actas']],
    ['es', ['obra', 'obras']],
    ['es', ['lápiz', 'lápices']],
    ['es', ['luz', 'luces']],
    ['it', ['atto', 'atti']],
    ['fr', ['travail', 'travaux']],
    ['ca', ['camí', 'camins']],
    ['pt', ['animal', 'animais']],
    ['pt', ['pão', 'pães']],
    ['gl', ['papel', 'papeis']],
    ['eu', ['udal', 'udala', 'udalak', 'udalaren']],
    ['eu', ['ikasle', 'ikasleak', 'ikasleentzat']],
    ['eu', ['osteguna', 'ostegunean']],
  ] as const)('forms of one word give the same tokens in %s: %j', (language, forms) => {
    expect(new Set(forms.map((form) => tokenize(form, language).join())).size).toBe(1);
  });
  it.each([
    ['ca', 'col·laboració', 'collaboració'],
    ['ca', 'col.laboració', 'collaboració'],
    ['ca', 'coŀlaboració', 'collaboració'],
    ['es', 'col·laboració', 'collaboració'],
    ['de', 'Hochspannungsnetzgerät', 'Netzgerät'],
    ['de', 'Hochspannungsnetzgerät', 'Hochspannung'],
    ['de', 'Versicherungsgesellschaften', 'Gesellschaft'],
    ['de', 'Universitätsbibliothek', 'Bibliothek'],
    ['de', 'Geraet', 'Gerät'],
    ['es', 'Un programa en C++ y en C#', 'C++'],
    ['es', 'La versión 10 de .NET', '.NET'],
    ['es', 'mu\u00adseo\u00adgra\u00adfía', 'museografía'],
    ['es', 'Ur\u2060bión', 'Urbión'],
    ['es', 'Cafe\u0301', 'Café'],
    ['es', 'm\u0303ar', 'mar'],
  ] as const)('in %s the text %p is found by %p', (language, text, query) => {
    expect(tokenize(text, language)).toEqual(expect.arrayContaining(tokenize(query, language)));
  });
  it('names with marks differ from the letter alone', () => {
    const [plus, sharp] = ['C++', 'C#'].map((name) => tokenize(name, 'es').filter((token) => token !== 'c'));
    expect([plus, sharp]).toEqual([[expect.any(String)], [expect.any(String)]]);
    expect(plus).not.toEqual(sharp);
    expect(tokenize('Fin de la frase.Otra, 5+5 y n.º 3.', 'es')).not.toContain(plus?.[0]);
  });
  it.each([
    ['pt', 'As ações da cooperativa e as decisões das comissões'],
    ['eu', 'Udalaren liburutegiak zabalik daude; haurrentzat tailerrak'],
    ['eu', 'Eskolako gurasoen bilera osteguna'],
    ['eu', 'Euskal Herriko Unibertsitateko ikasleak'],
    ['eu', 'Zerbitzuaren kostua eta ordainketa epeak'],
    ['eu', 'Langileentzako prestakuntza ikastaroak'],
    ['eu', 'Osasun zentroko hitzorduak'],
    ['ca', 'Excel·lents novel·les de la col·lecció'],
  ])('a short text in %s is detected by its letters and endings', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });
  it.each([
    'European Commission',
    'clean energy',
    'green week',
    'peak demand',
    'Is green energy clean?',
    'Greek oak',
    'a Slovak city',
    'outbreak and heartbreak',
    'Korean week',
    'a lean screen',
    'crean empleo',
    'que poseen y creen',
    'separen residuos',
    'respetan el plazo',
    'completara la ficha',
    'El kayak y el anorak',
    'Irak',
    'Museen',
    'Sitzung Haushalt nutzen',
    'Anlagen nutzen und schützen',
    'Kommentaren',
    'Liste von Formularen und Exemplaren',
    'Das Risiko in Mexiko',
    'Tabak und Kajak',
    'Armeen',
    'Politik und Statistik',
    'pujaren i baixaren',
    'organitzen jornades',
    'un lycéen européen',
    'passeiam e creem',
  ])('endings that Basque shares do not make %p Basque', (text) => {
    expect(detectLanguage(text)).not.toBe('eu');
  });
  it('a full stop between two words joins them in Catalan alone', () => {
    expect(tokenize('portal.local', 'es')).toEqual(['portal', 'local']);
  });
  it('one query finds the words of every language without naming one', () => {
    const forms = [
      ['pt', 'negociações', 'negociação'],
      ['eu', 'haurrentzako', 'haurrak'],
      ['ca', 'subvencions', 'subvenció'],
      ['gl', 'asociacións', 'asociación'],
      ['de', 'Hochspannungsnetzgerät', 'Netzgerät'],
      ['it', 'riparazioni', 'riparazione'],
    ] as const;
    for (const [language, text, query] of forms) {
      const terms = queryTerms(query, defaultLanguages).split(' ');
      expect([query, tokenize(text, language as LanguageCode).some((token) => terms.includes(token))]).toEqual([
        query,
        true,
      ]);
    }
  });
  it('only the first passage gets the name and, twice, the title', () => {
    const passage = { text: 'El turno se anuncia en el tablón.', context: 'Riego', language: 'es' as const };
    const names = { name: 'acta-7.txt', title: 'Acta' };
    const tokens = [...tokenize('Riego', 'es'), ...tokenize(passage.text, 'es')];
    expect(passageTerms({ ...passage, ordinal: 1 }, names)).toEqual(tokens);
    expect(passageTerms({ ...passage, ordinal: 0 }, names)).toEqual([
      ...tokens,
      ...tokenize('Acta Acta', 'es'),
      ...tokenize('acta-7.txt', 'es'),
    ]);
    expect(passageTerms({ ...passage, ordinal: 0 }, { ...names, title: passage.text })).toHaveLength(tokens.length + 4);
  });
  it('stop words give no tokens', () => {
    expect(tokenize('el agua de la acequia', 'es')).toEqual(tokenize('agua acequia', 'es'));
    expect(tokenize('the water of the canal', 'en')).toEqual(tokenize('water canal', 'en'));
  });
  it('tokens have at most 64 characters from a-z and 0-9', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        for (const token of tokenize(text, 'es')) expect(token).toMatch(/^[a-z0-9]{1,64}$/);
      }),
    );
  });
  it('query terms combine all languages', () => {
    const terms = queryTerms('running reuniones', ['es', 'en']).split(' ');
    expect(terms).toEqual(expect.arrayContaining([...tokenize('reuniones', 'es'), ...tokenize('running', 'en')]));
    expect(new Set(terms).size).toBe(terms.length);
  });
  it('100 kB of worst-case input is tokenized', () => {
    for (const text of ['a'.repeat(100_000), 'a-'.repeat(50_000), '1.'.repeat(50_000), '´'.repeat(100_000)])
      expect(tokenize(text, 'es').every((token) => token.length <= 64)).toBe(true);
  });
});

describe('sentences', () => {
  it('abbreviations, initials and decimals do not end a sentence', () => {
    expect(pieces('El Sr. Pérez pagó 3.50 euros. J. Ruiz, no. Véase art. 4 y núm. 7.')).toEqual([
      'El Sr. Pérez pagó 3.50 euros.',
      'J. Ruiz, no.',
      'Véase art. 4 y núm. 7.',
    ]);
  });
  it('blank lines, list items and headings end a sentence', () => {
    expect(pieces('# Title\nfirst line\n\nsecond\n- one\n- two')).toEqual([
      '# Title',
      'first line',
      'second',
      '- one',
      '- two',
    ]);
  });
  it('closing quotes stay with their sentence', () => {
    expect(pieces('He said “stop.” Then he left.')).toEqual(['He said “stop.”', 'Then he left.']);
  });
});

describe('a summary', () => {
  const text = `# Acta\n\nEl consejo revisa el expediente sobre la concesión de agua del manantial. Sí. ${'El organismo de cuenca pide un aforo nuevo del manantial antes de noviembre. '.repeat(2)}`;
  it('a summary consists of sentences of the text, in order', () => {
    const summary = summarise(text, 'es', 200);
    expect(summary.length).toBeLessThanOrEqual(200);
    for (const sentence of summary.match(/[^.]+\./g) ?? []) expect(text).toContain(sentence.trim());
  });
  it('a summary is at most 30 % of a text above 600 characters', () => {
    const sentence = 'La junta vecinal aprueba el presupuesto del riego. ';
    const [short, long] = [sentence.repeat(11), sentence.repeat(20)];
    expect(summarise(short, 'es').length).toBeLessThanOrEqual(600);
    for (const text of [long, long.replaceAll(' ', '   '), 'x'.repeat(1_000)]) {
      const { length } = text.replace(/\s+/g, ' ').trim();
      expect(summarise(text, 'es').length).toBeLessThanOrEqual(length * 0.3);
    }
  });
  const PROSE = 'The council shares the water of the river among the farms of the valley.';
  it.each([
    ['a heading', '# The water of the river and the farms of the valley.'],
    ['a list', '- the water of the river and the farms of the valley.'],
    ['a row', 'Water | The water of the river and the farms of the valley.'],
    ['marks of emphasis', 'The **water** of the river and the farms of the valley.'],
    ['a link', 'The [water](water.html) of the river and the farms of the valley.'],
    ['an address', 'The water of the river is at https://example.org/water of the valley.'],
    ['a tag', 'The <b>water</b> of the river and the farms of the valley.'],
    ['the end of a sentence', 'of the water of the river and the farms of the valley.'],
    ['the begin of a sentence', 'The water of the river and the farms of the valley and'],
    ['an open bracket', 'The water (of the river and the farms of the valley.'],
    ['a formula', 'Let f(x) = 2x + 3y - 4z, g(x) = 5x / 7y, h = 2.71828, 3.14159.'],
    ['headers of a mail', 'From: A <a@example.org>\nTo: B <b@example.org>\nSubject: Water'],
    ['another language', 'El consejo reparte el agua del río entre los huertos de la ribera.'],
  ])('%s does not stand in a summary', (_what, other) => {
    expect(summarise(`${other}\n\n${PROSE}`, 'en')).toBe(PROSE);
  });
  it('what is said twice stands in a summary once', () => {
    expect(summarise(`${PROSE}\n\n${PROSE.toUpperCase()}\n\n${PROSE}`, 'en')).toBe(PROSE);
  });
  it('a short note is summarised by its short sentences', () => {
    expect(summarise('# Aviso\n\nLa sala abre a las nueve. Ana firma.', 'es')).toBe('La sala abre a las nueve.');
  });
  it('a table is summarised by its rows without marks, and no row is cut', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| **Pieza ${at}** | ${at} |  | euros |`).join('\n');
    const summary = summarise(`| Pieza | Importe |\n|---|:-:|\n${rows}`, 'es');
    expect(summary).toMatch(/^Pieza, Importe; Pieza 0, 0, euros; .*; Pieza \d+, \d+, euros$/u);
  });
  it('a long line without sentences ends at a word', () => {
    expect(summarise('palabra '.repeat(200), 'es', 100)).toMatch(/^(?:palabra )+palabra…$/u);
  });
  it('a text without sentences is summarised by its beginning', () => {
    expect(summarise('uno dos tres', 'es')).toBe('uno dos tres');
  });
});
