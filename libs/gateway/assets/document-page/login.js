/* The login of the page, with its second factor. The page opens the document when it succeeds. */
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
