const messages = textsOf({
  es: {
    promise: 'Busca en los documentos que puede ver, por palabras y por significado.',
    keyLabel: 'Clave de API',
    keyHint: 'Se guarda solo en este navegador. El inicio de Acervo la muestra una vez.',
    keyButton: 'Usar esta clave',
    forget: 'Olvidar la clave de este navegador',
    queryLabel: '¿Qué busca?',
    spaceLabel: 'Dónde',
    everywhere: 'Todos los documentos',
    spaceOf: (number) => `Espacio ${number}`,
    notFound: 'El espacio no existe o no está a su alcance. Elija otro.',
    byWords: 'Hallado solo por sus palabras: aún no se busca por su significado.',
    none: 'No se ha encontrado nada. Pruebe con otras palabras.',
    found: (documents, chunks, ms) =>
      `${documents} ${documents === 1 ? 'documento' : 'documentos'}, ${chunks} ${chunks === 1 ? 'pasaje' : 'pasajes'}, ${ms} ms`,
    activeFilter: 'Solo documentos con',
    removeFilter: (label) => `Quitar el filtro ${label}`,
    refused: 'La clave no es válida o ha sido revocada. Pegue otra.',
    forbidden: 'Esta clave no puede buscar. Pida un rol que lo permita.',
  },
  en: {
    promise: 'Searches the documents that you may see, by words and by meaning.',
    keyLabel: 'API key',
    keyHint: 'Kept in this browser only. Acervo shows it once when it starts.',
    keyButton: 'Use this key',
    forget: 'Forget the key in this browser',
    queryLabel: 'What are you looking for?',
    spaceLabel: 'Where',
    everywhere: 'All documents',
    spaceOf: (number) => `Space ${number}`,
    notFound: 'The space does not exist, or you may not see it. Choose another one.',
    byWords: 'Found by its words only: it is not yet searched by meaning.',
    none: 'Nothing was found. Try other words.',
    found: (documents, chunks, ms) =>
      `${documents} ${documents === 1 ? 'document' : 'documents'}, ${chunks} ${chunks === 1 ? 'passage' : 'passages'}, ${ms} ms`,
    activeFilter: 'Only documents with',
    removeFilter: (label) => `Remove the filter ${label}`,
    refused: 'The key is not valid or was revoked. Paste another one.',
    forbidden: 'This key may not search. Ask for a role that may.',
  },
});

const found = (document_, query) => {
  const { name, location: where, chunks } = document_;
  const [first, ...others] = chunks;
  const title = element('h2', element('a', name, { href: pageOf(document_, query), dir: 'auto' }));
  const parts = [title, element('p', where, { className: 'where', dir: 'auto' })];
  if (first !== undefined) parts.push(passage(messages, first, query));
  if (chunks.some(({ extra }) => extra.embedded === false))
    parts.push(element('p', messages.byWords, { className: 'hint' }));
  if (others.length > 0) {
    const more = others.map((chunk) => passage(messages, chunk, query));
    parts.push(element('details', [element('summary', messages.more(others.length)), ...more]));
  }
  return element('li', element('article', parts));
};

const show = (message, results = []) => {
  byId('state').textContent = message;
  byId('results').replaceChildren(...results);
};

/* What a reader sees of codes: names of types by the catalogue, and of what the results showed. */
const labels = new Map();
const keyOf = ({ kind, code }) => `${kind} ${code}`;
const isSame = (one) => (other) => keyOf(one) === keyOf(other);

/* Whether the group may have types; undefined until the catalogue was read. A missing catalogue leaves it open. */
let hasTypes;

const readCatalogue = async (bearer) => {
  if (hasTypes !== undefined) return;
  const { result } = await send('/v1/catalog/document-types', { bearer });
  const types = result?.document_types;
  hasTypes = types === undefined || types.length > 0;
  for (const { code, name } of types ?? []) labels.set(keyOf({ kind: 'type', code }), name);
};

const isSpace = ({ kind }) => kind === 'space';
const spaceIn = (filter) => filter.find(isSpace)?.code ?? '';
const inSpace = (filter, space) => [
  ...filter.filter((one) => !isSpace(one)),
  ...(space === '' ? [] : [{ kind: 'space', code: space }]),
];

/* The spaces of the key; none where it may not list them. */
let spaces = [];

/* Offers the spaces of the key, and the one of the address, which may be none of them. */
const showSpaces = (chosen) => {
  const options = spaces.map(({ space_id: number, name }) => ({ value: String(number), name }));
  const isKnown = chosen === '' || options.some(({ value }) => value === chosen);
  const offered = isKnown ? options : [...options, { value: chosen, name: messages.spaceOf(chosen) }];
  const everywhere = { value: '', name: messages.everywhere };
  byId('space').replaceChildren(
    ...[everywhere, ...offered].map(({ value, name }) => element('option', name, { value, dir: 'auto' })),
  );
  byId('space').value = chosen;
  byId('space-choice').hidden = offered.length === 0;
};

const readSpaces = async () => {
  const bearer = localStorage.getItem(STORED);
  const { result } = bearer === null ? {} : await send('/v1/spaces?limit=200', { bearer });
  if (localStorage.getItem(STORED) !== bearer) return;
  spaces = result?.spaces ?? [];
  showSpaces(spaceIn(filterIn(location.hash)));
};

/* The codes that narrow the search; each chip takes its code away. The space has its own field. */
const showFilter = (query, filter) => {
  const codes = filter.filter((one) => !isSpace(one));
  const chips = codes.map((one) => {
    const label = labels.get(keyOf(one)) ?? one.code;
    const others = filter.filter((other) => !isSame(one)(other));
    return { label: `${label} ×`, name: messages.removeFilter(label), href: `/${addressOf(query, others) || '#'}` };
  });
  const caption = element('p', messages.activeFilter, { className: 'hint' });
  byId('filter').replaceChildren(...(chips.length === 0 ? [] : [caption, chipList(messages.activeFilter, chips)]));
};

/* The chips of a document; each adds its code to the filter. */
const chipsOf = (codes, query, filter) =>
  chipList(
    messages.chips,
    codes.map((one) => {
      const wider = filter.some(isSame(one)) ? filter : [...filter, one];
      return { label: one.label, name: messages.addFilter(one.label), href: `/${addressOf(query, wider)}` };
    }),
  );

/* Adds chips to the shown results, one by one, until a later search begins or the key may not read documents. */
const showCodes = async ({ documents, bearer, query, filter, isCurrent }) => {
  for (const [index, { code }] of documents.entries()) {
    const { result } = await edgesOf(code, bearer);
    if (result === undefined || !isCurrent()) return;
    const codes = codesOf(result);
    for (const { kind, code: carried, label } of codes)
      if (kind !== 'attribute') labels.set(keyOf({ kind, code: carried }), label);
    if (codes.length > 0) byId('results').children[index].firstElementChild.append(chipsOf(codes, query, filter));
  }
};

const ask = () => {
  const hasKey = localStorage.getItem(STORED) !== null;
  byId('key-form').hidden = hasKey;
  byId('search-form').hidden = !hasKey;
  byId(hasKey ? 'query' : 'key').focus();
  void readSpaces();
};

const forget = (message = '') => {
  localStorage.removeItem(STORED);
  hasTypes = undefined;
  byId('key').value = '';
  show(message);
  ask();
};

let latest = 0;

const bodyOf = (query, filter) => {
  const lists = {};
  const [codes, space] = [filter.filter((one) => !isSpace(one)), spaceIn(filter)];
  for (const { kind, code } of codes) (lists[FILTERS[kind]] ??= []).push(code);
  const narrowed = {
    ...(codes.length === 0 ? {} : { filter: lists }),
    ...(space === '' ? {} : { space_id: Number(space) }),
  };
  return { query, limit: 10, ...narrowed };
};

const search = async (query, filter) => {
  latest += 1;
  const mine = latest;
  const bearer = localStorage.getItem(STORED);
  show(messages.searching);
  const { result, response } = await send('/v1/documents/search', { bearer, body: bodyOf(query, filter) });
  if (mine !== latest) return;
  if (response?.status === 401) return forget(messages.refused);
  if (result === undefined) return show(refusalOf(messages, response));
  const { documents, total_documents: total, total_chunks: chunks, duration_ms: ms } = result;
  show(
    total === 0 ? messages.none : messages.found(total, chunks, Math.round(ms)),
    documents.map((document_) => found(document_, query)),
  );
  await readCatalogue(bearer);
  const isCurrent = () => mine === latest;
  if (!isCurrent()) return;
  showFilter(query, filter);
  if (hasTypes) await showCodes({ documents, bearer, query, filter, isCurrent });
};

const follow = () => {
  const query = askedIn(location.hash);
  const filter = filterIn(location.hash);
  byId('query').value = query;
  showSpaces(spaceIn(filter));
  showFilter(query, filter);
  if (query !== '' && localStorage.getItem(STORED) !== null) void search(query, filter);
};

byId('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  localStorage.setItem(STORED, byId('key').value.trim());
  show('');
  ask();
  follow();
});
byId('search-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const query = byId('query').value.trim();
  if (query === '') return;
  const filter = inSpace(filterIn(location.hash), byId('space').value);
  const hash = addressOf(query, filter);
  if (location.hash === hash) void search(query, filter);
  else location.hash = hash;
});
byId('space').addEventListener('change', () => {
  const query = byId('query').value.trim();
  location.hash = addressOf(query, inSpace(filterIn(location.hash), byId('space').value));
});
byId('forget').addEventListener('click', () => forget());
addEventListener('hashchange', follow);
ask();
follow();
