/* The access token of a session, in this tab alone. The refresh token is not stored. */
const SESSION = 'acervo.session';

/* A session precedes the key of the search page. */
const credential = () => {
  const session = sessionStorage.getItem(SESSION);
  if (session !== null) return { bearer: session, isSession: true };
  const key = localStorage.getItem(STORED);
  return key === null ? undefined : { bearer: key, isSession: false };
};

const showState = (message) => {
  byId('state').textContent = message;
};

/* Shows one part of the page, or none. */
const showOnly = (id) => {
  for (const each of ['entry', 'document', 'retry']) byId(each).hidden = each !== id;
  const used = credential();
  byId('log-out').hidden = used?.isSession !== true;
  byId('other-account').hidden = id === 'entry' || used?.isSession !== false;
};

/* A session whose password is right and whose second factor is still missing. */
let owing;

const askLogin = (message) => {
  owing = undefined;
  showOnly('entry');
  byId('login-form').hidden = false;
  byId('factor-form').hidden = true;
  byId('password').value = '';
  showState(message);
  byId('email').focus();
};

/* Forgets a credential that was refused. The other one may still work. */
const forget = ({ isSession }) => {
  if (isSession) sessionStorage.removeItem(SESSION);
  else localStorage.removeItem(STORED);
  if (credential() !== undefined) void open();
  else askLogin(isSession ? messages.sessionEnded : messages.keyRefused);
};

const date = (moment) => {
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(moment));
  return element('time', shown, { dateTime: moment });
};

const nameOfLanguage = (code) => {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(code);
  } catch {
    return code;
  }
};

const size = (bytes) => {
  const [unit, amount] = bytes < 1e6 ? ['kilobyte', bytes / 1e3] : ['megabyte', bytes / 1e6];
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(amount);
};

const original = ({ home_var: root, relative_path: path }) => (root === null ? path : `$${root}/${path}`);

const number = (count) => new Intl.NumberFormat(language).format(count);

/* One line a kind of part: how many there are, how many were read, and why the others were not. */
const partLine = ({ kind, counted, read, left_out: leftOut }) => {
  const name = messages.partKinds[kind] ?? kind;
  if (leftOut.length === 0) return messages.allRead(name, number(read));
  const rest = leftOut.map(({ reason, count }) => `${number(count)} ${messages.leftOut[reason] ?? reason}`).join(', ');
  return messages.partlyRead(name, number(read), number(counted), rest);
};

/* Absent in answers of earlier versions. */
const partsOf = ({ extraction }) =>
  (extraction ?? null) === null
    ? null
    : element(
        'ul',
        extraction.parts.map((part) => element('li', partLine(part))),
      );

const factsOf = (found) => [
  ['status', messages.states[found.status] ?? found.status],
  ['reason', found.reason],
  ['language', found.language === null ? null : nameOfLanguage(found.language)],
  ['pages', found.pages],
  ['chunks', found.chunk_count],
  ['reading', partsOf(found)],
  ['size', size(found.size_bytes)],
  ['original', original(found.fs)],
  ['entity', found.entity_code],
  ['folder', found.location_code],
  ['codeOf', found.code],
  ['updated', date(found.updated_at)],
  ['created', date(found.created_at)],
];

const showDocument = (found) => {
  document.title = `${found.name} · Acervo`;
  byId('name').textContent = found.name;
  byId('where').textContent = found.location;
  byId('summary').textContent = found.summary ?? '';
  const facts = factsOf(found).filter(([, value]) => value !== null);
  byId('facts').replaceChildren(
    ...facts.map(([name, value]) =>
      element('div', [element('dt', messages[name]), element('dd', value, { dir: 'auto' })]),
    ),
  );
  showState('');
  showOnly('document');
};

/* Type and features; each leads to a search for documents that have it too. */
const showCodes = (codes) => {
  const chips = codes.map((one) => ({
    ...{ label: one.label, name: messages.addFilter(one.label) },
    href: `/${addressOf(askedIn(location.hash), [one])}`,
  }));
  byId('codes').replaceChildren(...(chips.length === 0 ? [] : [chipList(messages.chips, chips)]));
};

const showPassages = (message, passages = [], neighbors = []) => {
  byId('search-state').textContent = message;
  byId('passages').replaceChildren(...passages);
  byId('neighbor-list').replaceChildren(...neighbors);
  byId('neighbors').hidden = neighbors.length === 0;
};

/* The document that is shown, and the number of the last request: an earlier answer that is late is ignored. */
let shown;
let latest = 0;

const neighborOf = (other, query) =>
  element('li', element('a', other.name, { href: pageOf(other, query), dir: 'auto' }));

/* Passages of the document among those of its folder; names of the other documents. */
const search = async (query) => {
  latest += 1;
  const mine = latest;
  const used = credential();
  if (used === undefined) return askLogin(messages.needed);
  showPassages(messages.searching);
  const { result, response } = await send('/v1/documents/search', {
    bearer: used.bearer,
    body: { query, location_code: shown.location_code, limit: 10 },
  });
  if (mine !== latest) return;
  if (response?.status === 401) return forget(used);
  if (response?.status === 403) return showPassages(messages.forbiddenSearch);
  if (result === undefined) return showPassages(refusalOf(messages, response));
  const { chunks } = result.documents.find(({ code }) => code === shown.code) ?? { chunks: [] };
  const others = result.documents.filter(({ code }) => code !== shown.code);
  showPassages(
    chunks.length === 0 ? messages.noPassage : messages.passages(chunks.length),
    chunks.map((chunk) => passage(messages, chunk, query)),
    others.map((other) => neighborOf(other, query)),
  );
};

const follow = () => {
  const query = askedIn(location.hash);
  byId('query').value = query;
  byId('search-page').href = `/${addressOf(query)}`;
  if (shown === undefined) return;
  if (query === '') showPassages('');
  else void search(query);
};

const open = async () => {
  latest += 1;
  const mine = latest;
  shown = undefined;
  showPassages('');
  const used = credential();
  if (used === undefined) return askLogin(messages.needed);
  showOnly(undefined);
  showState(messages.loading);
  // The code stays encoded as it stands in the address.
  const { result, response } = await send(`/v1/documents/${location.pathname.split('/')[3]}`, used);
  if (mine !== latest) return;
  if (response?.status === 401) return forget(used);
  if (result === undefined) {
    showOnly('retry');
    return showState(response?.status === 422 ? messages.notFound : refusalOf(messages, response));
  }
  shown = result;
  showDocument(result);
  showCodes([]);
  follow();
  // Features belong to a type.
  if ((result.document_type_code ?? null) === null) return;
  const { result: edges } = await edgesOf(result.code, used.bearer);
  if (edges !== undefined && shown === result) showCodes(codesOf(edges));
};

/* Runs one step at a time: a form that is sent twice counts one attempt. */
const submits = (id, step) => {
  let running = false;
  byId(id).addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running) return;
    running = true;
    await step().finally(() => (running = false));
  });
};

submits('login-form', logIn);
submits('factor-form', verify);
byId('search-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const hash = addressOf(byId('query').value.trim());
  if (location.hash === hash) follow();
  else location.hash = hash;
});
byId('start-over').addEventListener('click', () => askLogin(messages.needed));
byId('other-account').addEventListener('click', () => askLogin(messages.needed));
byId('retry').addEventListener('click', () => void open());
byId('log-out').addEventListener('click', async () => {
  const { bearer } = credential();
  sessionStorage.removeItem(SESSION);
  await send('/auth/logout', { bearer, body: {} });
  askLogin(messages.loggedOut);
});
addEventListener('hashchange', follow);

/* A query of a link moves behind the #, where it reaches no further log. */
const linked = askedIn(location.search);
if (linked !== '') history.replaceState(null, '', `${location.pathname}${addressOf(linked)}`);
void open();
