import type { FeatureItem } from '@acervo/contracts';
import { markdownLine as line } from '../kernel/markdown';
import type { FeatureCategory } from './taxonomy';

/** A document that has a feature, and where its text says so. */
export interface CitedExample {
  readonly documentCode: string;
  readonly name: string;
  readonly page: number | null;
  readonly quote: string;
}

/** The documents with a feature that a reader sees. */
export interface SeenFeature {
  readonly documents: number;
  readonly examples: readonly CitedExample[];
}

type Described = Pick<FeatureCategory, 'code' | 'name' | 'description' | 'kind' | 'valueKind'>;

const QUOTED = 300;

/** Code spans have no escapes: a pattern stands between more backticks than it contains. */
const codeOf = (text: string): string => {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${text.replaceAll(/\s+/g, ' ')} ${fence}`;
};

/** Stands in a stored page for what each reader sees of a feature. No text of a user contains it: `<` is escaped. */
const placeOf = (code: string): string => `<documents of="${encodeURIComponent(code)}">`;
const PLACE = /^<documents of="([^"]*)">$/gm;

const kindOf = ({ kind, valueKind }: Described): string =>
  kind === 'ATTRIBUTE' ? `attribute with values of the kind ${valueKind ?? 'TEXT'}` : 'characteristic';

const rulesOf = ({ pattern, phrases, prompt }: FeatureItem): string[] => [
  ...(pattern === null ? [] : [`- Pattern: ${codeOf(pattern)}`]),
  ...phrases.map(({ language, phrases: texts }) => `- Phrases (${language}): ${texts.map(line).join('; ')}`),
  ...(prompt === null ? [] : [`- Question to a model: ${line(prompt)}`]),
];

const featureOf = (feature: FeatureItem): string[] => [
  `## ${line(feature.name)}`,
  [`- Code: ${line(feature.code)}`, ...rulesOf(feature)].join('\n'),
  placeOf(feature.code),
];

/** The page of a category: what each feature is and how it is found, with a place for its documents. */
export const compileCategory = (category: Described, features: readonly FeatureItem[]): string =>
  `${[
    `# ${line(category.name)}`,
    line(category.description),
    [`- Code: ${line(category.code)}`, `- Kind: ${kindOf(category)}`].join('\n'),
    ...(features.length === 0 ? ['No features yet.'] : features.flatMap(featureOf)),
  ]
    .filter((block) => block !== '')
    .join('\n\n')}\n`;

const exampleOf = ({ documentCode, name, page, quote }: CitedExample): string => {
  const place = page === null ? '' : `, page ${page}`;
  return `  - ${line(name)} (${line(documentCode)}${place}): “${line(quote.slice(0, QUOTED))}”`;
};

/** A compiled page with the documents that one reader sees. */
export const completePage = (page: string, seen: ReadonlyMap<string, SeenFeature>): string =>
  page.replaceAll(PLACE, (_, encoded: string) => {
    const { documents, examples } = seen.get(decodeURIComponent(encoded)) ?? { documents: 0, examples: [] };
    return [`- Documents: ${documents}`, ...examples.map(exampleOf)].join('\n');
  });
