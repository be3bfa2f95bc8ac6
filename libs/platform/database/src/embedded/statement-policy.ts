/**
 * What a client of the shared session may not say. The session is one for all connections, so whatever would outlive
 * a transaction, or turn one role into another, is refused by its text. This guards against mistakes; against intent,
 * a real server is the wall.
 */

const NOT_CODE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]*)\$[\s\S]*?\$\1\$/g;

/** The text without comments, quoted strings, quoted names and dollar-quoted bodies, each replaced by a space. */
export const codeOf = (sql: string): string => sql.replace(NOT_CODE, ' ');

const withoutComments = (sql: string): string => sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');

const NAMES_A_ROLE = /\b(role|session_authorization|authorization)\b/i;
const SETS_A_ROLE_BY_FUNCTION = /set_config\s*\(\s*'\s*(role|session_authorization|is_superuser)/i;
const ANY_SET_CONFIG = /\bset_config\s*\(/gi;
const LOCAL_SET_CONFIG = /\bset_config\s*\(\s*'[a-z_.]+'\s*,\s*(?:\$\d+|'[^']*')\s*,\s*true\s*\)/gi;
const NAMING_THE_APPLICATION = /\bset_config\s*\(\s*'application_name'\s*,\s*(?:\$\d+|'[^']*')\s*,\s*false\s*\)/gi;
const SESSION_STATE = /^\s*(set|reset|discard)\b(?!\s+(local|constraints|transaction|application_name)\b)/i;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Why a statement is refused, or undefined. The reason names the kind of statement, never its text. */
export const refusalOf = (sql: string): string | undefined => {
  const code = codeOf(sql);
  const said = withoutComments(sql);
  if (NAMES_A_ROLE.test(code) || SETS_A_ROLE_BY_FUNCTION.test(said))
    return 'the word that names a database role; each connection keeps the one it logged in with';
  if (code.split(';').some((statement) => SESSION_STATE.test(statement)))
    return 'SET, RESET or DISCARD for a session; use SET LOCAL inside a transaction';
  const local = count(said, LOCAL_SET_CONFIG) + count(said, NAMING_THE_APPLICATION);
  if (count(said, ANY_SET_CONFIG) !== local)
    return "set_config beyond a transaction; write set_config('name', $1, true)";
  return undefined;
};

/** The channel that a LISTEN or UNLISTEN names. */
export const listenOf = (sql: string): { readonly on: boolean; readonly channel: string } | undefined => {
  const found = /^\s*(listen|unlisten)\s+("([^"]+)"|[\w$:.*-]+)/i.exec(withoutComments(sql));
  if (found === null) return undefined;
  return { on: found[1]?.toLowerCase() === 'listen', channel: found[3] ?? found[2] ?? '' };
};
