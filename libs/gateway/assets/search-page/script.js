const messages = textsOf({
  es: {
    promise: 'Busca en los documentos que puede ver, por palabras y por significado.',
    keyLabel: 'Clave de API',
    keyHint: 'Se guarda solo en este navegador. El inicio de Acervo la muestra una vez.',
    keyButton: 'Usar esta clave',
    forget: 'Olvidar la clave de este navegador',
    queryLabel: '¿Qué busca?',
    byWords: 'Hallado solo por sus palabras: aún no se busca por su significado.',
    none: 'No se ha encontrado nada. Pruebe con otras palabras.',
    found: (documents, chunks, ms) =>
      `${documents} ${documents === 1 ? 'documento' : 'documentos'}, ${chunks} ${chunks === 1 ? 'pasaje' : 'pasajes'}, ${ms} ms`,
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
    byWords: 'Found by its words only: it is not yet searched by meaning.',
    none: 'Nothing was found. Try other words.',
    found: (documents, chunks, ms) =>
      `${documents} ${documents === 1 ? 'document' : 'documents'}, ${chunks} ${chunks === 1 ? 'passage' : 'passages'}, ${ms} ms`,
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
  if (chunks.every(({ extra }) => extra.similarity === null))
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

const ask = () => {
  const hasKey = localStorage.getItem(STORED) !== null;
  byId('key-form').hidden = hasKey;
  byId('search-form').hidden = !hasKey;
  byId(hasKey ? 'query' : 'key').focus();
};

const forget = (message = '') => {
  localStorage.removeItem(STORED);
  byId('key').value = '';
  show(message);
  ask();
};

let latest = 0;

const search = async (query) => {
  latest += 1;
  const mine = latest;
  show(messages.searching);
  const { result, response } = await send('/v1/documents/search', {
    bearer: localStorage.getItem(STORED),
    body: { query, limit: 10 },
  });
  if (mine !== latest) return;
  if (response?.status === 401) return forget(messages.refused);
  if (result === undefined) return show(refusalOf(messages, response));
  const { documents, total_documents: total, total_chunks: chunks, duration_ms: ms } = result;
  show(
    total === 0 ? messages.none : messages.found(total, chunks, Math.round(ms)),
    documents.map((document_) => found(document_, query)),
  );
};

const follow = () => {
  const query = askedIn(location.hash);
  byId('query').value = query;
  if (query !== '' && localStorage.getItem(STORED) !== null) void search(query);
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
  const hash = addressOf(query);
  if (location.hash === hash) void search(query);
  else location.hash = hash;
});
byId('forget').addEventListener('click', () => forget());
addEventListener('hashchange', follow);
ask();
follow();
