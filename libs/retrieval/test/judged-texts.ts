/** A document of the generated collection. */
export interface JudgedDocument {
  readonly code: string;
  readonly text: string;
}

/** A query with the documents that answer it: 2 for the intended document, 1 for others about the same thing. */
export interface JudgedQuery {
  readonly text: string;
  readonly judged: ReadonlyMap<string, number>;
}

/** A thing, as named in documents and in queries: another number, no accents. One list a language, in its order. */
type Forms = readonly (readonly [inDocuments: string, inQueries: string])[];

interface Tongue {
  readonly things: Forms;
  readonly deeds: Forms;
  readonly document: (thing: string, deed: string, other: string, file: string) => string;
  readonly query: (thing: string, deed: string) => string;
}

const es: Tongue = {
  things: [
    ['bombas', 'bomba'],
    ['canales', 'canal'],
    ['contratos', 'contrato'],
    ['camiones', 'camion'],
    ['válvulas', 'valvula'],
    ['depósitos', 'deposito'],
    ['tuberías', 'tuberia'],
    ['motores', 'motor'],
    ['árboles', 'arbol'],
    ['almacenes', 'almacen'],
  ],
  deeds: [
    ['reparados', 'reparar'],
    ['revisados', 'revisaron'],
    ['instalados', 'instalar'],
    ['pintados', 'pintaron'],
  ],
  document: (thing, deed, other, file) =>
    `Informe sobre ${thing}, expediente ${file}\n\nDurante el mes de marzo fueron ${deed} varios ${thing} del sector norte, según consta en el acta de la junta. El coste se compara con el de los ${other} del año anterior y se paga en dos plazos. No hay más asuntos que tratar.`,
  query: (thing, deed) => `¿quién tiene que ${deed} el ${thing}?`,
};

const en: Tongue = {
  things: [
    ['pumps', 'pump'],
    ['valves', 'valve'],
    ['contracts', 'contract'],
    ['trucks', 'truck'],
    ['pipes', 'pipe'],
    ['tanks', 'tank'],
    ['engines', 'engine'],
    ['bridges', 'bridge'],
    ['warehouses', 'warehouse'],
    ['meters', 'meter'],
  ],
  deeds: [
    ['repaired', 'repairing'],
    ['inspected', 'inspecting'],
    ['installed', 'installing'],
    ['painted', 'painting'],
  ],
  document: (thing, deed, other, file) =>
    `Report on ${thing}, file ${file}\n\nIn March several ${thing} of the northern sector were ${deed}, as the minutes of the board say. The cost is compared with that of the ${other} of the year before and is paid in two parts. There is no other business.`,
  query: (thing, deed) => `who is ${deed} the ${thing}?`,
};

const fileOf = (number: number): string => `2024/${String(100 + number).padStart(4, '0')}-B`;

/** Every deed with every thing, in both languages: documents, questions in other forms, and file numbers. */
export const judgedTexts = (): { documents: JudgedDocument[]; queries: JudgedQuery[] } => {
  const documents: JudgedDocument[] = [];
  const queries: JudgedQuery[] = [];
  for (const [language, { things, deeds, document, query }] of Object.entries({ es, en }))
    things.forEach(([thing, asked], row) =>
      deeds.forEach(([deed, wanted], column) => {
        const file = fileOf(documents.length);
        const other = things[(row + column + 1) % things.length]?.[0] ?? '';
        const codeOf = (place: number): string => `${language}-${row}-${place}`;
        const code = codeOf(column);
        documents.push({ code, text: document(thing, deed, other, file) });
        const related = deeds.map((_, place) => [codeOf(place), place === column ? 2 : 1] as const);
        queries.push({ text: query(asked, wanted), judged: new Map(related) });
        if (column === 0) queries.push({ text: file, judged: new Map([[code, 2]]) });
      }),
    );
  return { documents, queries };
};
