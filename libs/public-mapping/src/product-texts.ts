import { among, type Vocabulary } from './vocabulary';

type Table = Readonly<Record<string, string>>;
const tables: Table[] = [];
const documentTables: Table[] = [];

/** The product's own texts with their English ones. Texts that users wrote stay as they are. */
const textsOf = (name: string, table: Table): Vocabulary => {
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

/** Texts that are values of fields. */
const productTexts = (name: string, table: Table): Vocabulary => {
  tables.push(table);
  return textsOf(name, table);
};

/** Texts that stand in documents of roles. */
const documentTexts = (name: string, table: Table): Vocabulary => {
  documentTables.push(table);
  return textsOf(name, table);
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

/** Names of the skills of the product. */
export const skillName = productTexts('skill_name', {
  'Fechas clave': 'Key dates',
  Glosario: 'Glossary',
  Obligaciones: 'Obligations',
  Partes: 'Parties',
  'Resumen del documento': 'Document summary',
});

/** Descriptions of the skills of the product. */
export const skillDescription = productTexts('skill_description', {
  'Las frases que mejor dicen de qué trata el documento, al pie de la letra.':
    'The sentences that best say what the document is about, to the letter.',
  'Las fechas del documento, cada una con la frase en la que figura.':
    'The dates of the document, each with the sentence that states it.',
  'Las personas y entidades que el documento nombra como partes, y cómo las llama.':
    'The people and organisations that the document names as parties, and what it calls them.',
  'Lo que cada parte debe hacer, pagar o dejar de hacer, con la frase que lo establece.':
    'What each party must do, pay or refrain from, with the sentence that states it.',
  'Los términos que el documento define, cada uno con su definición.':
    'The terms that the document defines, each with its definition.',
});

/** Names of the screens of the product. */
export const functionName = documentTexts('function_name', {
  Conversación: 'Conversation',
  Asistente: 'Assistant',
  Documentos: 'Documents',
  'Espacios de trabajo': 'Workspaces',
  'Mis procesos': 'My processes',
  'Mi sesión': 'My session',
  'Panel de documentos': 'Document dashboard',
  'Procesar documentos': 'Document processing',
  'Canal de ingesta': 'Ingestion pipeline',
  Ubicaciones: 'Locations',
  'Categorías de características': 'Feature categories',
  'Tipos de documento': 'Document types',
  'Entidades y áreas': 'Entities and areas',
  'Gestión de usuarios': 'User management',
  'Claves de API': 'API keys',
  'Parámetros del grupo': 'Group parameters',
  'Procesos del grupo': 'Group processes',
  'Tareas del grupo': 'Group tasks',
  Auditoría: 'Audit',
  'Panel de seguridad': 'Security dashboard',
  'Bajas de suscripción': 'Subscription cancellations',
});

/** A screen that is not built begins its description with that. */
const planned = (spanish: string, english: string): Table => ({
  [`Prevista: esta versión de Acervo no la ofrece todavía. ${spanish}`]: `Planned: this version of Acervo does not offer it yet. ${english}`,
});

/** Descriptions of the screens of the product. */
export const functionDescription = documentTexts('function_description', {
  'Responde preguntas con citas de los documentos que el usuario tiene permitidos.':
    'Answers questions with citations from the documents that the user is allowed to read.',
  'Versión sencilla del chat para quien solo necesita preguntar.':
    'A simple form of the chat for people who only need to ask.',
  'Consulta los documentos que el usuario puede ver, con su resumen, sus fragmentos y su lugar de origen.':
    'Shows the documents that the user may see, with their summaries, their passages and where they come from.',
  'Agrupa documentos por criterios y opera con esos conjuntos.':
    'Groups documents by criteria, and works with these sets.',
  'Reúne los procesos que el usuario ha iniciado o tiene asignados.':
    'Gathers the processes that the user has started or been assigned.',
  'Indica quién es el usuario y dónde está trabajando, y le deja cambiar de entidad o de área.':
    'Shows who the user is and where they are working, and lets them switch to another entity or area.',
  'Muestra cuántos documentos hay en cada estado y en qué punto está la carga.':
    'Shows how many documents are in each state, and how far ingestion has come.',
  'Gobierna el avance de cada documento por las etapas de la carga.':
    'Controls how each document moves through the stages of ingestion.',
  'Inicia, avanza y cancela ejecuciones de escaneo e ingesta, y vigila los trabajos huérfanos.':
    'Starts, advances and cancels runs of scans and ingestion, and watches for orphaned work.',
  'Registra las carpetas de origen y mantiene su árbol.': 'Registers the source folders and maintains their tree.',
  'Establece qué datos se buscan en cada tipo de documento y cómo se agrupan.':
    'Sets which data is looked for in each type of document, and how it is grouped.',
  'Elige y ajusta los tipos de documento con los que trabaja el grupo.':
    'Chooses and adjusts the types of documents that the group works with.',
  'Define las entidades del grupo, su árbol de áreas y las carpetas que cada área alcanza.':
    'Defines the entities of the group, their trees of areas, and the folders that each area reaches.',
  'Alta, baja y permisos de las personas que trabajan en el grupo.':
    'Adds, removes and authorises the people who work in the group.',
  'Crea y revoca las claves con las que los programas consultan Acervo.':
    'Creates and revokes the keys that programs query Acervo with.',
  'Guarda los valores que el grupo da a los programas que usan Acervo.':
    'Stores the values that the group gives to the programs that use Acervo.',
  'Define los procesos del grupo y qué los inicia.': 'Defines the processes of the group, and what starts them.',
  'Define las tareas de cada proceso del grupo y su orden.':
    'Defines the tasks of each process of the group, and their order.',
  'Enseña qué hizo cada persona o programa, cuándo y con qué resultado.':
    'Shows what each person or program did, when, and with which result.',
  'Resume quién puede hacer qué y los hechos que merecen atención.':
    'Summarises who may do what, and the events that deserve attention.',
  ...planned(
    'Tramita la cancelación de la suscripción del grupo y explica sus consecuencias.',
    'Handles the cancellation of the subscription of the group, and explains its consequences.',
  ),
});

/** Every text of the product that has an English one, as the internal routes show it. */
export const spanishProductTexts = (): readonly string[] => tables.flatMap((table) => Object.keys(table));

/** Every text of the product that documents of its roles contain, in Spanish. */
export const spanishDocumentTexts = (): readonly string[] =>
  [...tables, ...documentTables].flatMap((table) => Object.keys(table));
