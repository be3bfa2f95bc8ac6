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
  'Resumen del espacio': 'Space digest',
  Glosario: 'Glossary',
  Obligaciones: 'Obligations',
  Partes: 'Parties',
  'Resumen del documento': 'Document summary',
});

/** Descriptions of the skills of the product. */
export const skillDescription = productTexts('skill_description', {
  'Las frases que mejor dicen de qué trata el documento, al pie de la letra.':
    'The sentences that best say what the document is about, to the letter.',
  'Lo que mejor dice de qué tratan los documentos de un espacio, al pie de la letra y con su origen.':
    'What best says what the documents of a space are about, to the letter and with its source.',
  'Las fechas del documento, cada una con la frase en la que figura.':
    'The dates of the document, each with the sentence that states it.',
  'Las personas y entidades que el documento nombra como partes, y cómo las llama.':
    'The people and organisations that the document names as parties, and what it calls them.',
  'Lo que cada parte debe hacer, pagar o dejar de hacer, con la frase que lo establece.':
    'What each party must do, pay or refrain from, with the sentence that states it.',
  'Los términos que el documento define, cada uno con su definición.':
    'The terms that the document defines, each with its definition.',
});

/** Summaries of the screens of the product. */
export const functionSummary = productTexts('function_summary', {
  'Mantiene conversaciones en las que cada afirmación se apoya en un fragmento localizable. Si los documentos no contienen la respuesta, lo dice en lugar de inventarla.':
    'Holds conversations in which each statement rests on a passage that can be found. Where the documents do not contain the answer, it says so and invents none.',
  'Presenta una única caja de pregunta y respuestas con sus fuentes. No muestra filtros ni opciones avanzadas, y el alcance lo fija el administrador mediante el rol.':
    'Shows one box for a question, and answers with their sources. It has no filters or advanced options; the administrator sets its reach by the role.',
  'Reúne los documentos de las entidades y áreas del usuario y permite localizarlos, leer sus fragmentos citables y llegar al original. Nunca entrega el texto completo de un documento: quien lo necesita abre el fichero en su carpeta.':
    'Gathers the documents of the entities and areas of the user, who finds them, reads passages to cite and reaches the original. It never hands out the whole text of a document: the file in its folder has it.',
  'Un espacio es un conjunto de documentos con nombre. Se define por criterios o a partir de otros dos espacios, que se unen, se cruzan y se restan sin salir de lo que cada persona puede ver.':
    'A space is a set of documents with a name. It is defined by criteria, or by the union, intersection or difference of two other spaces, within what each person may see.',
  'Sirve para seguir el trabajo documental de cada persona: qué procesos le corresponden, en qué tarea están y cuándo vencen. Quien administra ve además los de todo el grupo.':
    'Follows the work of each person on documents: which processes they have, at which task these are and when they are due. Administrators also see those of the whole group.',
  'Expone el grupo, la entidad, el área y el rol con los que se resuelven las peticiones. Cambiar de contexto altera lo que se ve, nunca lo que se tiene permitido.':
    'Shows the group, entity, area and role that requests are answered with. Another context changes what is shown, never what is allowed.',
  'Ofrece de un vistazo la salud del fondo documental: el número de documentos en cada estado y los motivos por los que algunos ficheros no se han podido leer.':
    'Shows the health of the documents at a glance: how many are in each state, and why some files could not be read.',
  'Permite elegir documentos, lanzar lotes, cambiar su orden de ingesta, devolverlos a una etapa anterior o darlos por desaparecidos. Las órdenes que piden confirmación indican antes a cuántos documentos alcanzan.':
    'Selects documents, starts batches, changes the order of ingestion, returns documents to an earlier stage or reports them as missing. Orders that need a confirmation say first how many documents they concern.',
  'Es la sala de máquinas de la carga: enseña cada ejecución con sus etapas, los trabajos que se han quedado sin responsable y el resumen de la cola, y permite actuar sobre ellos.':
    'The engine room of ingestion: it shows each run with its stages, orphaned work and the summary of the queue, and acts on them.',
  'Aquí se dan de alta las carpetas que Acervo vigila y los temas cuyas páginas busca en la web, se revisa lo encontrado y se decide qué hacer cuando una carpeta o una página cambia o deja de existir.':
    'Registers the folders that Acervo watches and the topics whose pages it looks for on the web, reviews what was found, and decides what happens when a folder or a page changes or no longer exists.',
  'Una característica es un dato que un documento puede contener, como un importe o una fecha de vencimiento. Las categorías las reúnen y los límites de cada tipo indican cuándo un documento deja de pertenecer a él.':
    'A feature is a value that a document may contain, such as an amount or a due date. Categories group features, and the boundaries of each type say when a document no longer belongs to it.',
  'Los tipos forman un árbol; cada uno vale para todo el grupo o para una sola entidad. El recuento por entidad ayuda a ver qué tipos se usan de verdad.':
    'Types form a tree; each holds for the whole group or for one entity. The count by entity shows which types are really used.',
  'Traduce el organigrama a permisos: las entidades dividen el grupo, las áreas dividen la entidad y cada área se enlaza con las carpetas que le pertenecen.':
    'Turns the organisation chart into rights: entities divide the group, areas divide the entity, and each area is linked to its folders.',
  'Aquí el administrador invita a nuevas personas, corrige sus datos y decide qué papel desempeña cada una. También reparte las entidades y áreas a las que llega cada cuenta. Antes de borrar a alguien, la pantalla cuenta lo que desaparecería con su cuenta.':
    'Administrators invite people, correct their details and decide on their roles. They also assign the entities and areas that each account reaches. Before a person is deleted, the screen counts what would go with the account.',
  'Cada clave actúa en nombre de una persona, con uno de sus roles, y solo abre la API pública. Puede fijarse a una entidad y a un área para que no sirva en ningún otro lugar.':
    'Each key acts for a person, with one of their roles, and opens the public API alone. It can be fixed to an entity and an area, and then works nowhere else.',
  'Cada parámetro tiene tipo, categoría y valor por defecto. Los privados se pueden sustituir, pero su contenido no vuelve a mostrarse.':
    'Each parameter has a type, a category and a default value. Private ones can be replaced, but their content is not shown again.',
  'Describe lo que la organización hace una y otra vez, como renovar un contrato, y si lo inicia una persona, un documento de cierto tipo o el calendario.':
    'Describes what the organisation does again and again, such as the renewal of a contract, and whether a person, a document of some type or the calendar starts it.',
  'Una tarea fija qué hay que hacer, qué persona se ocupa y en cuántos días. Las tareas de una definición se copian en cada proceso que se inicia de ella.':
    'A task states what is to be done, by which person and within how many days. The tasks of a definition are copied into each process that is started from it.',
  'Consulta el registro encadenado de operaciones del grupo. Cada entrada identifica al autor, la operación y su resultado, y cualquier alteración posterior rompe la cadena y se descubre.':
    'Reads the chained record of the operations of the group. Each entry names the author, the operation and its result; a later alteration breaks the chain and is discovered.',
  'Cruza personas, roles y funciones para detectar permisos excesivos, y reúne las operaciones denegadas o fallidas del grupo.':
    'Compares people, roles and functions to find excessive rights, and gathers the refused or failed operations of the group.',
  'Permite pedir la baja, conocer la fecha en que será efectiva y qué ocurrirá con los documentos, las claves y las personas cuando llegue.':
    'Requests the cancellation, and shows the date of its effect and what then happens to documents, keys and people.',
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
  'Registra carpetas de origen y fuentes de la web, y mantiene sus documentos al día.':
    'Registers source folders and sources of the web, and keeps their documents up to date.',
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
