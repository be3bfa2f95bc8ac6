const texts = {
  es: {
    promise: 'Busca en los documentos que puede ver, por palabras y por significado.',
    keyLabel: 'Clave de API',
    keyHint: 'Se guarda solo en este navegador. El inicio de Acervo la muestra una vez.',
    keyButton: 'Usar esta clave',
    forget: 'Olvidar la clave de este navegador',
    queryLabel: '¿Qué busca?',
    searchButton: 'Buscar',
    reference: 'Referencia de la API',
    searching: 'Buscando…',
    none: 'No se ha encontrado nada. Pruebe con otras palabras.',
    found: (documents, chunks, ms) =>
      `${documents} ${documents === 1 ? 'documento' : 'documentos'}, ${chunks} ${chunks === 1 ? 'pasaje' : 'pasajes'}, ${ms} ms`,
    page: (page) => `Página ${page}`,
    passage: (number) => `Pasaje ${number}`,
    similarity: 'Similitud',
    more: (count) => (count === 1 ? 'Otro pasaje' : `Otros ${count} pasajes`),
    refused: 'La clave no es válida o ha sido revocada. Pegue otra.',
    forbidden: 'Esta clave no puede buscar. Pida un rol que lo permita.',
    slowDown: (seconds) => `Demasiadas peticiones. Espere ${seconds} s y repita la búsqueda.`,
    wrong: 'La búsqueda no se entiende así. Acórtela o cámbiela.',
    failed: 'Acervo no puede responder ahora. Repita la búsqueda en unos segundos.',
  },
  en: {
    promise: 'Searches the documents that you may see, by words and by meaning.',
    keyLabel: 'API key',
    keyHint: 'Kept in this browser only. Acervo shows it once when it starts.',
    keyButton: 'Use this key',
    forget: 'Forget the key in this browser',
    queryLabel: 'What are you looking for?',
    searchButton: 'Search',
    reference: 'API reference',
    searching: 'Searching…',
    none: 'Nothing was found. Try other words.',
    found: (documents, chunks, ms) =>
      `${documents} ${documents === 1 ? 'document' : 'documents'}, ${chunks} ${chunks === 1 ? 'passage' : 'passages'}, ${ms} ms`,
    page: (page) => `Page ${page}`,
    passage: (number) => `Passage ${number}`,
    similarity: 'Similarity',
    more: (count) => (count === 1 ? 'One more passage' : `${count} more passages`),
    refused: 'The key is not valid or was revoked. Paste another one.',
    forbidden: 'This key may not search. Ask for a role that may.',
    slowDown: (seconds) => `Too many requests. Wait ${seconds} s and search again.`,
    wrong: 'The search cannot be understood like this. Shorten or change it.',
    failed: 'Acervo cannot answer now. Search again in a few seconds.',
  },
};

const language = navigator.language.toLowerCase().startsWith('en') ? 'en' : 'es';
const messages = texts[language];
const STORED = 'acervo.key';
const byId = (id) => document.getElementById(id);

const element = (name, content = [], properties = {}) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...[content].flat());
  return made;
};

/* One folded code unit for each code unit of the text, so that places in both are the same. */
const fold = (text) =>
  Array.from({ length: text.length }, (_, at) => text[at].normalize('NFD')[0].toLowerCase()).join('');

const wordsOf = (text) => [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({ word, index }));

/* A word of the text answers a word of the query when it is the same, or begins as its stem would. */
const answers = (word, asked) =>
  word === asked || (asked.length > 4 && word.startsWith(asked.slice(0, Math.max(4, Math.ceil(asked.length * 0.7)))));

const highlighted = (text, query) => {
  const asked = wordsOf(fold(query))
    .map(({ word }) => word)
    .filter((word) => word.length > 3 || /\d/.test(word));
  const parts = [];
  let from = 0;
  for (const { word, index } of wordsOf(fold(text))) {
    if (!asked.some((one) => answers(word, one))) continue;
    parts.push(text.slice(from, index), element('mark', text.slice(index, index + word.length)));
    from = index + word.length;
  }
  return [...parts, text.slice(from)];
};

const passage = ({ text, page, extra }, query) => {
  const caption = [page === null ? messages.passage(extra.chunk_number + 1) : messages.page(page)];
  if (extra.similarity !== null) {
    const percent = `${Math.round(extra.similarity * 100)} %`;
    const meter = element('meter', percent, { min: 0, max: 1, value: extra.similarity });
    meter.setAttribute('aria-label', messages.similarity);
    caption.push(` · ${messages.similarity} `, meter, ` ${percent}`);
  }
  return element('figure', [element('blockquote', highlighted(text.trim(), query)), element('figcaption', caption)]);
};

const found = ({ name, location, chunks }, query) => {
  const [first, ...others] = chunks;
  const parts = [element('h2', name), element('p', location, { className: 'where' })];
  if (first !== undefined) parts.push(passage(first, query));
  if (others.length > 0) {
    const more = others.map((chunk) => passage(chunk, query));
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

const refusal = (response) => {
  if (response.status === 401) return forget(messages.refused);
  if (response.status === 403) return show(messages.forbidden);
  if (response.status === 429) return show(messages.slowDown(response.headers.get('Retry-After') ?? '10'));
  return show(response.status < 500 ? messages.wrong : messages.failed);
};

let latest = 0;

const search = async (query) => {
  latest += 1;
  const mine = latest;
  show(messages.searching);
  const answer = await fetch('/v1/documents/search', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${localStorage.getItem(STORED)}` },
    body: JSON.stringify({ query, limit: 10 }),
  })
    .then(async (response) => (response.ok ? { result: await response.json() } : { response }))
    .catch(() => undefined);
  if (mine !== latest) return;
  if (answer === undefined) return show(messages.failed);
  if (answer.response !== undefined) return refusal(answer.response);
  const { documents, total_documents: total, total_chunks: chunks, duration_ms: ms } = answer.result;
  show(
    total === 0 ? messages.none : messages.found(total, chunks, Math.round(ms)),
    documents.map((document_) => found(document_, query)),
  );
};

/* The query stands behind the # of the address: it can be kept and shared, and never reaches a log. */
const asked = () => new URLSearchParams(location.hash.slice(1)).get('q') ?? '';

const follow = () => {
  const query = asked();
  byId('query').value = query;
  if (query !== '' && localStorage.getItem(STORED) !== null) void search(query);
};

document.documentElement.lang = language;
for (const part of document.querySelectorAll('[data-text]')) part.textContent = messages[part.dataset.text];

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
  const hash = `#${new URLSearchParams({ q: query })}`;
  if (location.hash === hash) void search(query);
  else location.hash = hash;
});
byId('forget').addEventListener('click', () => forget());
addEventListener('hashchange', follow);
ask();
follow();
