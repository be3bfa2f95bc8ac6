/**
 * Statements that a client of the shared session may not send. All connections share the session. Refused by its text
 * is any statement that would outlive a transaction or turn one role into another. This guards against mistakes; the
 * barrier against intent is a real server.
 */

/**
 * Comments, escape strings, strings, quoted names and dollar-quoted bodies, in the order of the text. What is not
 * closed is one token up to the end, with its opening as the second group: PostgreSQL refuses it.
 */
const NOT_CODE =
  /--[^\r\n]*|\/\*[\s\S]*?\*\/|\be'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'|'[^']*'|"[^"]*"|(?<![\w$])\$((?:[a-z_]\w*)?)\$[\s\S]*?\$\1\$|(\/\*|['"]|(?<![\w$])\$(?:[a-z_]\w*)?\$)[\s\S]*/gi;

const isComment = (token: string): boolean => token.startsWith('--') || token.startsWith('/*');

/** The text without comments, quoted strings, quoted names and dollar-quoted bodies, each replaced by a space. */
export const codeOf = (sql: string): string =>
  sql.replace(NOT_CODE, (token, _tag: string | undefined, opening: string | undefined) =>
    opening === undefined ? ' ' : token,
  );

/** The text without those, but with the bodies of blocks and functions: they are code as well. */
const codeWithBodies = (sql: string): string =>
  sql.replace(NOT_CODE, (token, tag: string | undefined, opening: string | undefined) => {
    if (opening !== undefined) return token;
    return tag === undefined ? ' ' : ` ; ${codeWithBodies(token.slice(tag.length + 2, -tag.length - 2))} ; `;
  });

/** The text with a space for each comment. */
export const withoutComments = (sql: string): string =>
  sql.replace(NOT_CODE, (token, _tag: string | undefined, opening: string | undefined) =>
    opening === undefined && isComment(token) ? ' ' : token,
  );

const nestsComments = (sql: string): boolean =>
  (sql.match(NOT_CODE) ?? []).some((token) => token.startsWith('/*') && token.includes('/*', 2));

const NAMES_A_ROLE = /\b(role|session_authorization|authorization)\b/i;
const SETS_A_ROLE_BY_FUNCTION = /set_config"?\s*\(\s*'\s*(role|session_authorization|is_superuser)/i;
const ANY_SET_CONFIG = /\bset_config"?\s*\(/gi;
const LOCAL_SET_CONFIG = /\bset_config\s*\(\s*'[a-z_.]+'\s*,\s*(?:\$\d+|'[^']*')\s*,\s*true\s*\)/gi;
const NAMING_THE_APPLICATION = /\bset_config\s*\(\s*'application_name'\s*,\s*(?:\$\d+|'[^']*')\s*,\s*false\s*\)/gi;
/** `pg_settings` is updatable, which is a SET under another name. */
const UPDATES_SETTINGS = /\bupdate\s+(?:only\s+)?(?:"?pg_catalog"?\s*\.\s*)?"?pg_settings\b/i;
const SESSION_STATE =
  /(?:^|;|\b(?:begin|then|else|loop)\b)\s*(?:set|reset|discard|deallocate\s+(?:prepare\s+)?all)\b(?!\s+(?:local|constraints|transaction|application_name)\b)/i;
/** SET LOCAL of anything but an unquoted setting: a quoted name could be `role`. */
const LOCAL_WITHOUT_NAME = /\bset\s+local\s+(?!(?:[a-z_][\w.]*\s*(?:=|to\b)|time\s+zone\b))/i;
/** The policy reads quotes as they are by default. */
const REQUOTES = /\b(?:standard_conforming_strings|backslash_quote)\b/i;
const LISTENS = /(?:^|;)\s*(?:un)?listen\b/i;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Why a statement is refused, or undefined. The reason names the kind of statement, never its text. */
export const refusalOf = (sql: string): string | undefined => {
  if (nestsComments(sql)) return 'comments inside comments';
  const code = codeWithBodies(sql);
  const stripped = withoutComments(sql);
  if (NAMES_A_ROLE.test(code) || SETS_A_ROLE_BY_FUNCTION.test(stripped))
    return 'the word that names a database role; each connection keeps the one it logged in with';
  if (SESSION_STATE.test(code) || LOCAL_WITHOUT_NAME.test(code) || UPDATES_SETTINGS.test(stripped))
    return 'SET, RESET, DISCARD or DEALLOCATE ALL for a session; use SET LOCAL inside a transaction';
  if (REQUOTES.test(stripped)) return 'a setting that changes what a quote means';
  const local = count(stripped, LOCAL_SET_CONFIG) + count(stripped, NAMING_THE_APPLICATION);
  if (count(stripped, ANY_SET_CONFIG) !== local)
    return "set_config beyond a transaction; write set_config('name', $1, true)";
  if (LISTENS.test(code) && code.split(';').filter((statement) => statement.trim() !== '').length > 1)
    return 'LISTEN or UNLISTEN among other statements';
  return undefined;
};

/** What a LISTEN or UNLISTEN asks for. */
export interface Subscription {
  readonly on: boolean;
  readonly channel: string;
}

/** The channel of a LISTEN or UNLISTEN as the engine spells it: an unquoted name is lower case. */
export const listenOf = (sql: string): Subscription | undefined => {
  const found = /^[\s;]*(listen|unlisten)\s+("((?:[^"]|"")+)"|[\w$:.*-]+)/i.exec(withoutComments(sql));
  if (found === null) return undefined;
  const channel = found[3]?.replaceAll('""', '"') ?? (found[2] ?? '').toLowerCase();
  return { on: found[1]?.toLowerCase() === 'listen', channel };
};
