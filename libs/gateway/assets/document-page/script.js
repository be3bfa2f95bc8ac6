const messages = textsOf({
  es: {
    searchPage: 'Volver a la búsqueda',
    loading: 'Abriendo el documento…',
    retry: 'Reintentar',
    entry: 'Entrar',
    email: 'Correo',
    password: 'Contraseña',
    logIn: 'Entrar',
    keyHint: 'Con una clave de API: péguela en la página de búsqueda y abra de nuevo este documento.',
    code: 'Código de su aplicación',
    verify: 'Comprobar',
    startOver: 'Entrar de otro modo',
    logOut: 'Cerrar la sesión',
    otherAccount: 'Entrar con otra cuenta',
    needed: 'Entre para ver el documento.',
    keyRefused: 'La clave de este navegador no es válida o ha sido revocada. Entre para ver el documento.',
    sessionEnded: 'La sesión ha terminado. Entre de nuevo para ver el documento.',
    loggedOut: 'Ha cerrado la sesión.',
    noLogin: 'En esta dirección no se puede entrar con una cuenta. Use una clave de API en la página de búsqueda.',
    wrongLogin: 'El correo o la contraseña no son correctos.',
    askCode: 'Falta el segundo factor: escriba el código de su aplicación.',
    askKey: 'Falta el segundo factor: pulse «Comprobar» y use su llave de acceso.',
    wrongCode: 'El código no es correcto o ha caducado. Escriba el siguiente.',
    wrongKey: 'La llave de acceso no ha respondido. Inténtelo de nuevo.',
    notFound: 'El documento no existe, o esta credencial no puede verlo.',
    forbidden: 'Esta credencial no puede leer documentos. Pida un rol que lo permita o entre con otra cuenta.',
    queryLabel: 'Buscar en la carpeta del documento',
    forbiddenSearch: 'Esta credencial no puede buscar. Pida un rol que lo permita.',
    passages: (count) => (count === 1 ? '1 pasaje de este documento' : `${count} pasajes de este documento`),
    noPassage: 'Ningún pasaje de este documento está entre los primeros resultados de su carpeta.',
    neighbors: 'Otros documentos de la carpeta que responden',
    status: 'Estado',
    reason: 'Motivo',
    language: 'Idioma',
    pages: 'Páginas',
    chunks: 'Pasajes',
    size: 'Tamaño',
    original: 'Original',
    entity: 'Entidad',
    folder: 'Carpeta',
    codeOf: 'Código',
    updated: 'Último cambio',
    created: 'Visto por primera vez',
    states: {
      DETECTED: 'Detectado, en espera',
      ACQUIRED: 'Adquirido, en espera',
      EXTRACTED: 'Texto extraído, en espera',
      CLASSIFIED: 'Clasificado, en espera',
      SUMMARIZED: 'Resumido, en espera',
      CHUNKED: 'Dividido en pasajes, en espera',
      VECTORIZED: 'Listo: se encuentra al buscar',
      ERROR: 'Ha fallado',
      MISSING: 'El archivo no se encuentra',
      UNSUPPORTED: 'No se puede leer',
    },
  },
  en: {
    searchPage: 'Back to the search',
    loading: 'Opening the document…',
    retry: 'Try again',
    entry: 'Log in',
    email: 'Email',
    password: 'Password',
    logIn: 'Log in',
    keyHint: 'With an API key: paste it in the search page and open this document again.',
    code: 'Code of your authenticator app',
    verify: 'Verify',
    startOver: 'Log in another way',
    logOut: 'Log out',
    otherAccount: 'Log in with another account',
    needed: 'Log in to see the document.',
    keyRefused: 'The key of this browser is not valid or was revoked. Log in to see the document.',
    sessionEnded: 'The session has ended. Log in again to see the document.',
    loggedOut: 'You have logged out.',
    noLogin: 'This address has no login for accounts. Use an API key in the search page.',
    wrongLogin: 'The email or the password is not correct.',
    askCode: 'The second factor is missing: type the code of your authenticator app.',
    askKey: 'The second factor is missing: press “Verify” and use your passkey.',
    wrongCode: 'The code is not correct or has expired. Type the next one.',
    wrongKey: 'The passkey did not answer. Try again.',
    notFound: 'The document does not exist, or this credential may not see it.',
    forbidden: 'This credential may not read documents. Ask for a role that may, or log in with another account.',
    queryLabel: 'Search in the folder of the document',
    forbiddenSearch: 'This credential may not search. Ask for a role that may.',
    passages: (count) => (count === 1 ? '1 passage of this document' : `${count} passages of this document`),
    noPassage: 'No passage of this document is among the first results of its folder.',
    neighbors: 'Other documents of the folder that match',
    status: 'State',
    reason: 'Reason',
    language: 'Language',
    pages: 'Pages',
    chunks: 'Passages',
    size: 'Size',
    original: 'Original',
    entity: 'Entity',
    folder: 'Folder',
    codeOf: 'Code',
    updated: 'Last change',
    created: 'First seen',
    states: {
      DETECTED: 'Detected, waiting',
      ACQUIRED: 'Acquired, waiting',
      EXTRACTED: 'Text extracted, waiting',
      CLASSIFIED: 'Classified, waiting',
      SUMMARIZED: 'Summarised, waiting',
      CHUNKED: 'Cut into passages, waiting',
      VECTORIZED: 'Ready: searches find it',
      ERROR: 'Failed',
      MISSING: 'The file is missing',
      UNSUPPORTED: 'It cannot be read',
    },
  },
});

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

const factsOf = (found) => [
  ['status', messages.states[found.status] ?? found.status],
  ['reason', found.reason],
  ['language', found.language === null ? null : nameOfLanguage(found.language)],
  ['pages', found.pages],
  ['chunks', found.chunk_count],
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
  follow();
};

const begin = (token) => {
  byId('password').value = '';
  byId('code').value = '';
  owing = undefined;
  sessionStorage.setItem(SESSION, token);
  void open();
};

const TRIES = 3;

const challenge = async () => {
  const { result, response } = await send('/auth/mfa/challenge', {
    bearer: owing.token,
    body: { factor_id: owing.factorId },
  });
  // The session or its factor ended meanwhile.
  if ([401, 403, 404].includes(response?.status)) return askLogin(messages.sessionEnded);
  if (result === undefined) return showState(refusalOf(messages, response));
  Object.assign(owing, { challengeId: result.challenge_id, options: result.options, tries: TRIES });
  const isCode = result.options === null;
  byId('login-form').hidden = true;
  byId('factor-form').hidden = false;
  byId('code-part').hidden = !isCode;
  byId('code').required = isCode;
  return isCode;
};

const askFactor = async () => {
  const isCode = await challenge();
  if (isCode === undefined) return;
  showState(isCode ? messages.askCode : messages.askKey);
  (isCode ? byId('code') : byId('factor-form').querySelector('button')).focus();
};

const logIn = async () => {
  const [email, password] = [byId('email').value.trim(), byId('password').value];
  const { result, response } = await send('/auth/login', { body: { email, password } });
  if (response !== undefined && [401, 422].includes(response.status)) return showState(messages.wrongLogin);
  // A gateway without auth-service behind its address.
  if (response?.status === 404) return showState(messages.noLogin);
  if (result === undefined) return showState(refusalOf(messages, response));
  if (!result.mfa_required) return begin(result.access_token);
  owing = { token: result.access_token, factorId: result.factor_id };
  return askFactor();
};

/* What the factor proves: a code, or the answer of a passkey. Undefined where the passkey gave none. */
const proof = async () => {
  if (owing.options === null) return { code: byId('code').value.replaceAll(' ', '') };
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(owing.options);
    return { credential: (await navigator.credentials.get({ publicKey })).toJSON() };
  } catch {
    return undefined;
  }
};

const verify = async () => {
  if (owing.tries === 0 && (await challenge()) === undefined) return;
  const proved = await proof();
  const isCode = owing.options === null;
  if (proved === undefined) return showState(messages.wrongKey);
  owing.tries = isCode ? owing.tries - 1 : 0;
  const { token: bearer, factorId: factor_id, challengeId: challenge_id } = owing;
  const { result, response } = await send('/auth/mfa/verify', { bearer, body: { factor_id, challenge_id, ...proved } });
  if (result !== undefined) return begin(result.access_token);
  if (response?.status === 401) return askLogin(messages.sessionEnded);
  byId('code').value = '';
  if (response?.status !== 422) return showState(refusalOf(messages, response));
  return showState(isCode ? messages.wrongCode : messages.wrongKey);
};

/* Runs one step at a time: a form that is sent twice counts one attempt. */
const submits = (id, step) => {
  let running = false;
  byId(id).addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running) return;
    running = true;
    await step();
    running = false;
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
