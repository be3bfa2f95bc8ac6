import { among, type Vocabulary } from './vocabulary';

const tables: Readonly<Record<string, string>>[] = [];

/** The product's own texts with their English ones. Texts that users wrote stay as they are. */
const productTexts = (name: string, table: Readonly<Record<string, string>>): Vocabulary => {
  tables.push(table);
  const english = new Map(Object.entries(table));
  const spanish = new Map(Object.entries(table).map(([text, translated]) => [translated, text]));
  return among({
    name,
    internalCodes: [...english.keys()],
    publicCodes: [...english.values()],
    toPublic: (text) => english.get(text) ?? text,
    toInternal: (text) => spanish.get(text),
  });
};

/** Names of the roles of the product. */
export const roleName = productTexts('role_name', {
  'Administrador del grupo': 'Group administrator',
  Sistema: 'System',
  Usuario: 'User',
  'Usuario final': 'Final user',
});

/** Descriptions of the roles of the product. */
export const roleDescription = productTexts('role_description', {
  'Dirige su grupo: personas, permisos, carpetas, clasificación y proceso de documentos.':
    'Runs the group: its people, rights, folders, classification and the processing of documents.',
  'Opera la instalación entera: ve a todas las personas y actúa en cualquier grupo.':
    'Operates the whole installation: sees all people and acts in any group.',
  'Consulta documentos, conversa con ellos, reúne espacios y atiende sus procesos.':
    'Reads documents, talks with them, gathers spaces and follows its own processes.',
  'Hace preguntas sobre los documentos que alcanza y lee las respuestas con sus citas.':
    'Asks questions about the documents within reach and reads the answers with their citations.',
});

/** Names of the applications of the product. */
export const applicationName = productTexts('application_name', {
  'Aplicación web': 'Web application',
  'Aplicación de escritorio': 'Desktop application',
});

/** Every text of the product that has an English one, as the internal routes show it. */
export const spanishProductTexts = (): readonly string[] => tables.flatMap((table) => Object.keys(table));
