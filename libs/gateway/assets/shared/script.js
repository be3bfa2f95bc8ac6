/* What the pages of the gateway share. It stands before the script of a page, in one module with it. */
const sharedTexts = {
  es: {
    page: (page) => `Página ${page}`,
    passage: (number) => `Pasaje ${number}`,
    similarity: 'Similitud',
    more: (count) => (count === 1 ? 'Otro pasaje' : `Otros ${count} pasajes`),
    searching: 'Buscando…',
    searchButton: 'Buscar',
    reference: 'Referencia de la API',
    quota: 'Su grupo ha agotado sus búsquedas. Espere al próximo periodo o pida una ampliación a su administrador.',
    context: 'El área elegida ya no está a su alcance. Elija otra antes de continuar.',
    unfocused: 'Tiene áreas de varias entidades. Elija una entidad o un área antes de continuar.',
    slowDown: (seconds) => `Demasiadas peticiones. Espere ${seconds} s y repita.`,
    busy: (seconds) => `Acervo está ocupado. Espere ${seconds} s y repita.`,
    wrong: 'La búsqueda no se entiende así. Acórtela o cámbiela.',
    failed: 'Acervo no puede responder ahora. Repita en unos segundos.',
    chips: 'Tipo y rasgos',
    addFilter: (label) => `Filtrar por ${label}`,
  },
  en: {
    page: (page) => `Page ${page}`,
    passage: (number) => `Passage ${number}`,
    similarity: 'Similarity',
    more: (count) => (count === 1 ? 'One more passage' : `${count} more passages`),
    searching: 'Searching…',
    searchButton: 'Search',
    reference: 'API reference',
    quota: 'Your group has no searches left. Wait for the next period or ask your administrator for more.',
    context: 'The chosen area is no longer within your reach. Choose another one before you continue.',
    unfocused: 'You have areas of several entities. Choose an entity or an area before you continue.',
    slowDown: (seconds) => `Too many requests. Wait ${seconds} s and repeat.`,
    busy: (seconds) => `Acervo is busy. Wait ${seconds} s and repeat.`,
    wrong: 'The search cannot be understood like this. Shorten or change it.',
    failed: 'Acervo cannot answer now. Repeat in a few seconds.',
    chips: 'Type and features',
    addFilter: (label) => `Filter by ${label}`,
  },
};

const language = navigator.language.toLowerCase().startsWith('en') ? 'en' : 'es';
const STORED = 'acervo.key';
const byId = (id) => document.getElementById(id);

/* The texts of a page in the language of its reader. Spanish unless the browser prefers English. */
const textsOf = (texts) => {
  const messages = { ...sharedTexts[language], ...texts[language] };
  document.documentElement.lang = language;
  for (const part of document.querySelectorAll('[data-text]')) part.textContent = messages[part.dataset.text];
  return messages;
};

/* Content is text, never markup. */
const element = (name, content = [], properties = {}) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...[content].flat());
  return made;
};

/* What a route answers: a result, or the response that refused; neither where no answer came. */
const send = async (path, { bearer, body } = {}) => {
  const headers = {
    ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  try {
    const response = await fetch(path, { headers, cache: 'no-store', ...sent });
    return response.ok ? { result: await response.json() } : { response };
  } catch {
    return {};
  }
};

/* The pages send no request without meaning: 400 asks for a focus. */
const REFUSALS = { 400: 'unfocused', 402: 'quota', 403: 'forbidden', 404: 'notFound', 409: 'context' };

/* The sentence for an answer without a result. */
const refusalOf = (messages, response) => {
  if (response === undefined) return messages.failed;
  const seconds = response.headers.get('Retry-After') ?? '10';
  if (response.status === 429) return messages.slowDown(seconds);
  if (response.status === 503) return messages.busy(seconds);
  if (response.status >= 500) return messages.failed;
  return messages[REFUSALS[response.status]] ?? messages.wrong;
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

const passage = (messages, { text, page, extra }, query) => {
  const caption = [page === null ? messages.passage(extra.chunk_number + 1) : messages.page(page)];
  if (extra.similarity !== null) {
    const percent = `${Math.round(extra.similarity * 100)} %`;
    const meter = element('meter', percent, { min: 0, max: 1, value: extra.similarity });
    meter.setAttribute('aria-label', messages.similarity);
    caption.push(` · ${messages.similarity} `, meter, ` ${percent}`);
  }
  const quote = element('blockquote', highlighted(text.trim(), query), { dir: 'auto' });
  return element('figure', [quote, element('figcaption', caption)]);
};

/* Query and filter stand behind the # of an address: it can be kept and shared, and they never reach a log. */
const askedIn = (address) => new URLSearchParams(address.slice(1)).get('q') ?? '';
const addressOf = (query, filter = []) => {
  const parts = new URLSearchParams(query === '' ? {} : { q: query });
  for (const { kind, code } of filter) parts.append(kind, code);
  return parts.size === 0 ? '' : `#${parts}`;
};

/* The kinds of codes in an address, and their lists in the filter of a search; the number of a space is another kind. */
const FILTERS = { type: 'document_types', attribute: 'attributes', characteristic: 'characteristics' };
const filterIn = (address) => {
  const parts = new URLSearchParams(address.slice(1));
  const codes = Object.keys(FILTERS).flatMap((kind) => parts.getAll(kind).map((code) => ({ kind, code })));
  const space = parts.get('space') ?? '';
  return /^\d+$/.test(space) ? [...codes, { kind: 'space', code: space }] : codes;
};

/* The types and features of a document by its edges, as codes to filter by with what a reader sees of them. */
const codesOf = ({ type_path: types, features }) => [
  ...types.map(({ code, name }) => ({ kind: 'type', code, label: name })),
  ...features.map(({ code, name = code, value = null }) =>
    value === null
      ? { kind: 'characteristic', code, label: name }
      : { kind: 'attribute', code, label: `${name}: ${value}` },
  ),
];

/* Chips that each lead to an address. @param chips of a label, an accessible name and an address */
const chipList = (label, chips) => {
  const list = element(
    'ul',
    chips.map(({ label: text, name, href }) => {
      const link = element('a', text, { href, className: 'chip', dir: 'auto' });
      link.setAttribute('aria-label', name);
      return element('li', link);
    }),
    { className: 'chips' },
  );
  list.setAttribute('aria-label', label);
  return list;
};

const edgesOf = (code, bearer) => send(`/v1/documents/${encodeURIComponent(code)}/edges?neighbor_limit=1`, { bearer });
const pageOf = ({ code }, query) => `/app/documents/${encodeURIComponent(code)}${addressOf(query)}`;
