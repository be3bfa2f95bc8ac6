// Passages of real files with what a person marked in them, and the rules that an administrator would write for them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../lib/options.mjs';

const phrases = (...texts) => ({ phrases: { en: texts, es: texts, de: texts, fr: texts, pt: texts } });
const pattern = (text) => ({ pattern: text });

/** By type and kind of value. The patterns take whole runs of digits and marks, as people write them. */
const RULES = {
  FILING: {
    TEXT: {
      FILE_NUMBER: pattern('(?i)file number: *(?P<value>[\\d-]+)'),
      TAX_NUMBER: pattern('(?m)\\| *(?P<value>\\d{2}-\\d{7})$'),
      COMPANY: pattern('(?m)^(?P<value>[^\\n]+)\\n\\n\\(Exact name'),
      ACCESSION: pattern('(?P<value>\\d{10}-\\d{2}-\\d{6})'),
    },
    AMOUNT: { MARKET_VALUE: pattern('(?i)aggregate market value[^$]{0,400}(?P<value>[$][\\d.,]+)') },
    NUMBER: { SHARES: phrases('latest practicable date') },
    DATE: { SHARES_ON: phrases('common shares as of'), PERIOD_END: phrases('for the year ended') },
  },
  MAIL: { TEXT: { SUBJECT: phrases('subject') }, DATE: { SENT: phrases('date', 'sent') } },
  SCAN: { DATE: { RELEASED: phrases('release date') } },
  BOOK: {
    TEXT: { AUTHOR: phrases('author'), EBOOK: pattern('\\[EBook #(?P<value>\\d+)\\]') },
    DATE: { RELEASED: phrases('release date'), UPDATED: phrases('most recently updated') },
    AMOUNT: {
      DONATION: phrases('small donations'),
      PRICE: phrases('price', 'für', 'betrug', 'pour', 'pagó', 'por'),
    },
  },
  PAPER: {
    TEXT: {
      ARXIV: pattern('arXiv:(?P<value>\\d{4}\\.\\d{4,5}(?:v\\d+)?)'),
      ISBN: pattern('ACM (?P<value>97[89][\\d-]+)'),
    },
    DATE: {
      SUBMITTED: pattern('arXiv:\\S+ \\[[\\w.]+\\] (?P<value>[^\\n]+)'),
      HELD: pattern('’\\d\\d, (?P<value>[^\\n]+), Dublin'),
      RECEIVED: phrases('email vom'),
    },
    AMOUNT: { FEE: pattern('\\. (?P<value>[$][\\d.,]+)') },
  },
  HANDBOOK: {
    TEXT: { STATUTE: pattern('(?P<value>\\d+ U\\.S\\.C\\. § \\d+(?:\\(\\w+\\))*)') },
    DATE: { CHANGED: phrases('policy change effective', 'language amended', 'language added', 'language revised') },
    AMOUNT: { LIMIT: phrases('exceed', 'exceeds', 'in excess of', 'balances over') },
  },
  REPORT: {
    TEXT: { NUMBER: pattern('(?P<value>GAO-\\d{2}-\\d{3,6})'), LAW: pattern('Pub\\. L\\. No\\. (?P<value>[\\d-]+)') },
    DATE: { PUBLISHED: pattern('\\(Washington, D\\.C\\.: (?P<value>[^)]+)\\)'), AS_OF: phrases('as of') },
  },
  PLAYER: {
    TEXT: { NAME: phrases('full name') },
    DATE: {
      BORN: {
        pattern: '\\bborn in [^\\n]{1,60}? on (?P<value>\\d{1,2} \\w+ \\d{4})',
        ...phrases('date of birth', 'born'),
      },
      DIED: phrases('muerte de Tesla'),
    },
    AMOUNT: { FEE: pattern('(?:for|paid) \\W*Â?(?P<value>£[\\d.,]+(?:m|bn)?)') },
  },
  RESULTS: {
    TEXT: { UNIT: pattern('In millions of (?P<value>[A-Z]{3})\\b') },
    DATE: { PERIOD_END: phrases('quarters to', 'years ended', 'guidance rates') },
    NUMBER: {
      SALES: pattern('Zone NA \\| (?P<value>[\\d.,]+)'),
      OTHER: pattern('Zone NA(?: \\|[^|]*){4}\\| (?P<value>[^|]+) \\|'),
    },
  },
  STANDARD: {
    TEXT: { VERSION: pattern('(?i)\\bversi[oó]n (?P<value>\\d+(?:\\.\\d+)+)') },
    DATE: { PUBLISHED: pattern('(?i)\\bversion [\\d.]+, (?P<value>[^\\n]+)') },
    AMOUNT: { TRANSFER: phrases('más de') },
  },
  STEEL: { TEXT: { GRADE: phrases('grade'), STANDARD: pattern('(?P<value>JIS [A-Z] \\d{4})') } },
  COUNTRY: { TEXT: { LEADER: phrases('leader'), CAPITAL: phrases('capital') } },
  NEWS: {
    DATE: {
      STARTED: pattern('(?m)^(?P<value>\\w+ \\d+\\w+, \\d{4}):'),
      PRINTED: pattern('\\d+ of \\d+ (?P<value>[\\d.]+)'),
      SIGNED: pattern('\\bOn (?P<value>[^\\n,]+),'),
      AS_OF: phrases('as of', 'in'),
    },
  },
  RECORD: { TEXT: { FILENAME: phrases('filename') }, DATE: { MODIFIED: phrases('last_modified') } },
  LISTED: {
    DATE: { AS_OF: pattern('\\(al? (?P<value>[^)]+)\\)') },
    AMOUNT: { CAPITAL: phrases('capitalización total', 'con', 'alrededor de') },
  },
};

const type = (code) => ({
  ...{ code, name: code, description: '', parentCode: null, entityCode: null },
  boundary: { includes: '', excludes: '', rules: [], examples: [] },
});
const kinds = Object.entries(RULES).flatMap(([typeCode, ofType]) =>
  Object.entries(ofType).map(([valueKind, features]) => ({
    code: `${typeCode}_${valueKind}`,
    typeCode,
    valueKind,
    features,
  })),
);

export const markedTaxonomy = {
  version: 1,
  types: Object.keys(RULES).map(type),
  categories: kinds.map(({ code, typeCode, valueKind }) => ({
    ...{ code, typeCode, name: '', description: '', kind: 'ATTRIBUTE', valueKind },
  })),
  features: kinds.flatMap(({ code: categoryCode, features }) =>
    Object.entries(features).map(([code, rule]) => ({
      ...{ categoryCode, code, name: code, prompt: null },
      rule: { pattern: null, phrases: {}, ...rule },
    })),
  ),
};

const read = () => JSON.parse(readFileSync(join(root, 'tools', 'bench', 'classification', 'marked.json'), 'utf8'));

/** The passages as drafts of documents; one without marks is a decoy. */
export const marked = () =>
  read().map(({ file, type: typeCode, language, text, marks }) => ({
    ...{ file, typeCode, language, text },
    stated: new Map(marks.map(({ code, written, value }) => [code, { written, value }])),
  }));
