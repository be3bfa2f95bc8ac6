import { codeOf, withoutComments } from './statement-policy';

/**
 * What a text can leave behind in the session:
 *
 * - `plain`: nothing. It reads, changes rows, or begins and ends transactions, by functions of the engine that execute
 *   no text and change no setting.
 * - `calls`: settings, or another role. It calls a function outside that list, which may execute text built at run time.
 * - `defines`: code that runs behind later texts, such as a trigger or a cast. Every other kind of statement is one of
 *   these, `DO`, `CALL` and `EXECUTE` as well.
 */
export type Effect = 'plain' | 'calls' | 'defines';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** First words of statements that define nothing. */
const FIRST_WORDS = words(`
  select insert update delete merge with values begin start commit end rollback abort savepoint release set show notify
  listen unlisten
`);

/** First words of statements that define nothing and run code of the tables that they work on. */
const UPKEEP = words('vacuum analyze');

/** Words before a parenthesis that call nothing. */
const SYNTAX = words(`
  all and any array as between by case char check conflict cube default delete distinct else end except exists filter
  for from group grouping having in insert intersect interval into is join key lateral like limit materialized not
  numeric nothing offset on only or ordinality over partition primary recursive references returning rollup row rows
  select set sets some table then timestamp timestamptz to union unique update using values varchar when where window
  with within
`);

/**
 * Functions of the engine that execute no text given to them and change no setting beyond the transaction. It is no
 * list of the others: `query_to_xml`, `ts_stat` and `ts_rewrite` execute a text, and extensions add more. A function
 * that is missing here costs one question each time; nothing else.
 */
const FUNCTIONS = words(`
  abs age array_agg array_append array_cat array_length array_position array_remove array_to_string avg bool_and bool_or
  btrim cardinality cast ceil char_length clock_timestamp coalesce concat concat_ws convert_from convert_to count crc32
  current_setting date date_bin date_part date_trunc decode dense_rank encode every exp extract first_value floor format
  gen_random_uuid generate_series generate_subscripts greatest has_table_privilege hashtext hashtextextended initcap
  json_agg json_array_elements json_array_elements_text json_build_array json_build_object json_populate_recordset
  jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object
  jsonb_each jsonb_each_text jsonb_object_agg jsonb_object_keys jsonb_populate_record jsonb_populate_recordset jsonb_set
  jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof lag last_value lead least left length ln log lower
  lpad ltrim make_interval make_timestamptz max md5 min mod mode now nullif num_nonnulls num_nulls octet_length overlay
  percentile_cont percentile_disc pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_notify pg_relation_size
  pg_total_relation_size pg_try_advisory_xact_lock position power quote_ident quote_literal random rank regexp_count
  regexp_match regexp_matches regexp_replace regexp_split_to_array repeat replace reverse right round row_number
  row_to_json rpad rtrim sha256 sign split_part sqrt starts_with statement_timestamp string_agg string_to_array strpos
  substr substring sum to_bm25query to_char to_json to_jsonb to_regclass to_timestamp to_tsquery to_tsvector
  transaction_timestamp translate trim trim_array trunc ts_rank ts_rank_cd unnest upper uuid_extract_timestamp uuidv4
  uuidv7 websearch_to_tsquery
`);

/** Settings of a transaction that change plans and limits, never what a text means. */
const LOCAL_SETTING = /^(?:enable_\w+|plan_cache_mode|hnsw\.\w+|statement_timeout|lock_timeout|work_mem|jit)$/;
const SET_LOCAL = /^set\s+local\s+([\w.]+)\s*(?:=|to\b)/i;
const SET_OF_TRANSACTION = /^set\s+(?:transaction|constraints)\b/i;
/** A setting of the application, which decides the rows of a group and nothing about roles. */
const GROUP_CONFIG = /\bset_config\s*\(\s*'app\.\w+'\s*,\s*(?:\$\d+|'[^']*')\s*,\s*true\s*\)/gi;
const ANY_CONFIG = /\bset_config"?\s*\(/gi;

const onlyConfiguresGroup = (sql: string): boolean => {
  const text = withoutComments(sql);
  return (text.match(ANY_CONFIG)?.length ?? 0) === (text.match(GROUP_CONFIG)?.length ?? 0);
};

/** A name in front of a parenthesis. */
const CALL = /(?<![\w$.\u0080-\uffff])([\w$.\u0080-\uffff]+) ?\(/g;
/** The word or character at the end of a text. */
const LAST = /(?<!\w)\w+$|\S$/;
const LOOK_BACK = 64;
/** A name behind these has a list of columns in its parenthesis. */
const NAMES_COLUMNS = words('as into ordinality recursive with )');

const isListed = (name: string): boolean => SYNTAX.has(name) || FUNCTIONS.has(name.replace(/^pg_catalog\./, ''));

const namesColumns = (code: string, index: number): boolean =>
  NAMES_COLUMNS.has(LAST.exec(code.slice(Math.max(0, index - LOOK_BACK), index).trimEnd())?.[0].toLowerCase() ?? '');

/** A name in escapes could be any name. `pg_settings` is updatable, which is a SET under another name. */
const OTHER_WAYS = /\bu&|pg_settings/i;

/** Whether all calls are of functions in the list. A call by a quoted name is of none. */
const callsListed = (sql: string, code: string): boolean => {
  if (/"\s*\(/.test(sql) || OTHER_WAYS.test(sql)) return false;
  const mayConfigure = onlyConfiguresGroup(sql);
  return [...code.matchAll(CALL)].every(({ 1: called = '', index }) => {
    const name = called.toLowerCase();
    return isListed(name) || (name === 'set_config' && mayConfigure) || namesColumns(code, index);
  });
};

const setsPlans = (statement: string): boolean => {
  if (!/^set\b/i.test(statement)) return true;
  const [, name = ''] = SET_LOCAL.exec(statement) ?? [];
  return SET_OF_TRANSACTION.test(statement) || LOCAL_SETTING.test(name.toLowerCase());
};

/** `select ... into` creates a table. */
const createsTable = (statement: string): boolean => /(?<!\b(?:insert|merge)\s{1,20})\binto\b/i.test(statement);

const firstWordOf = (statement: string): string => /^[\s(]*(\w*)/.exec(statement)?.[1]?.toLowerCase() ?? '';

const defines = (statement: string): boolean => !FIRST_WORDS.has(firstWordOf(statement)) || createsTable(statement);

/** Longer texts are not read. */
const LONGEST = 32_768;

/** The effect of a text that the policy does not refuse. What cannot be recognised counts as the worse one. */
export const effectOf = (sql: string): Effect => {
  if (sql.length > LONGEST) return 'defines';
  const code = codeOf(sql)
    .replace(/\s+/g, ' ')
    .replace(/ ?\. ?/g, '.');
  const statements = code
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const others = statements.filter((each) => !UPKEEP.has(firstWordOf(each)));
  if (others.some(defines)) return 'defines';
  if (others.length < statements.length) return 'calls';
  return statements.every(setsPlans) && callsListed(sql, code) ? 'plain' : 'calls';
};
