import fc from 'fast-check';
import { countTokens } from './token-count';

/** Texts with their count by the tokenizer of multilingual-e5-small, without its start and end marks. */
const counted: readonly (readonly [name: string, tokens: number, text: string])[] = [
  [
    'Spanish',
    73,
    'La comunidad de regantes aprobó en su asamblea anual la ampliación del depósito, la sustitución de las compuertas y una cuota extraordinaria de doce euros por hectárea, que se abonará en dos plazos. Los propietarios que no asistieron pueden consultar el acta en la oficina, de lunes a viernes por la mañana.',
  ],
  [
    'English',
    64,
    'The maintenance team replaces the bearings of every pump after eight thousand hours of operation and records the work in the station log. Whenever the vibration exceeds the limit named in the manual, the pump is stopped at once, inspected by two people, and put back into service only with a written release.',
  ],
  [
    'German',
    46,
    'Die Versicherungsgesellschaft übernimmt die Kosten der Grundstücksentwässerung, sofern die Genehmigungsunterlagen vollständig eingereicht wurden. Wasserwirtschaftsämter und Aufsichtsbehörden prüfen die Bauausführung regelmäßig und dokumentieren ihre Ergebnisse.',
  ],
  [
    'French',
    57,
    "Le conseil d'administration a décidé de renouveler le contrat d'entretien des installations hydrauliques pour une durée de trois ans, aujourd'hui comme hier sous réserve de l'accord de l'assemblée générale des propriétaires et des communes concernées par les travaux.",
  ],
  [
    'Portuguese',
    55,
    'A associação de agricultores decidiu construir uma nova estação de bombagem junto ao rio, financiada em partes iguais pelos municípios e pelos proprietários dos terrenos. As obras começam depois da colheita e devem terminar antes das chuvas do inverno seguinte.',
  ],
  [
    'Russian',
    50,
    'Собрание собственников решило отремонтировать насосную станцию и заменить старые трубы до начала следующего сезона. Расходы распределяются между всеми участниками пропорционально площади их земельных участков, а отчёт публикуется каждый месяц.',
  ],
  [
    'Greek',
    59,
    'Η γενική συνέλευση αποφάσισε την επισκευή του αντλιοστασίου και την αντικατάσταση των παλαιών σωλήνων πριν από την έναρξη της επόμενης περιόδου. Τα έξοδα κατανέμονται σε όλους τους ιδιοκτήτες ανάλογα με την έκταση των αγρών τους.',
  ],
  [
    'Arabic',
    40,
    'قررت الجمعية العامة إصلاح محطة الضخ واستبدال الأنابيب القديمة قبل بداية الموسم القادم. توزع التكاليف على جميع الملاك حسب مساحة أراضيهم، وينشر التقرير كل شهر في مكتب الجمعية.',
  ],
  [
    'Chinese',
    49,
    '业主大会决定在下一个灌溉季节开始之前修理泵站并更换旧管道。费用按照土地面积由所有业主分摊，报告每月在协会办公室公布。没有参加会议的业主可以在工作日上午查阅会议记录。',
  ],
  [
    'Korean',
    68,
    '총회는 다음 관개 시기가 시작되기 전에 펌프장을 수리하고 낡은 관을 교체하기로 결정했다. 비용은 토지 면적에 따라 모든 소유자가 나누어 부담하며 보고서는 매달 협회 사무실에 공개된다. 회의에 참석하지 않은 사람은 회의록을 볼 수 있다.',
  ],
  ['a table of numbers', 168, '| 2024-01-03 | 1.234,56 € | A-7781/B | 98,2 % |\n'.repeat(6)],
  [
    'program text',
    76,
    'export const fuse = (legs) => {\n  for (const { ranking, weight, k } of legs)\n    ranking.forEach((hit, index) => {\n      scores.set(hit.id, (scores.get(hit.id) ?? 0) + weight / (k + index + 1));\n    });\n};\n',
  ],
  [
    'capitals',
    50,
    'CONDICIONES GENERALES DEL CONTRATO DE SUMINISTRO DE ENERGÍA ELÉCTRICA EN BAJA TENSIÓN PARA LAS INSTALACIONES MUNICIPALES DE ALUMBRADO Y BOMBEO DE AGUA POTABLE',
  ],
  [
    'hashes',
    83,
    '9f86d081884c7d659a2feaa0c55ad015 a3bf4f1b2b0b822cd15d6c15b0f00a08 d3b07384d113edec49eaa6238ad5ff00 c157a79031e1c40f85931829bc5fc552',
  ],
];

describe('an estimate of tokens', () => {
  it.each(counted)('the estimate of %s (%i tokens) is 0.75 to 1.35 of the count', (_name, tokens, text) => {
    expect(countTokens(text) / tokens).toBeGreaterThanOrEqual(0.75);
    expect(countTokens(text) / tokens).toBeLessThanOrEqual(1.35);
  });

  it('an estimate lies between its largest part and the sum', () => {
    const words = fc.array(fc.constantFrom('agua', 'RIEGO', '2024', '€', '漢字', 'насос', '-'), { maxLength: 20 });
    fc.assert(
      fc.property(words, words, (some, others) => {
        const [one, other] = [some.join(' '), others.join(' ')];
        const both = countTokens(`${one} ${other}`);
        expect(both).toBeLessThanOrEqual(countTokens(one) + countTokens(other));
        expect(both).toBeGreaterThanOrEqual(Math.max(countTokens(one), countTokens(other)));
      }),
    );
  });

  it('white space has an estimate of 0', () => {
    expect(countTokens(' \n\t ')).toBe(0);
  });
});
