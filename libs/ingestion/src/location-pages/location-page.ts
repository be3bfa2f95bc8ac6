import { markdownLine } from '../kernel/markdown';

/** A folder or a type with the documents of it that a reader sees. */
export interface CountedName {
  readonly code: string;
  readonly name: string;
  readonly documents: number;
}

/** Where a statement stands; without a quote the document as a whole is cited. */
export interface DescribedDocument {
  readonly code: string;
  readonly name: string;
  readonly revision: number;
  readonly summary: string;
  /** Quotes of it, with their pages. */
  readonly quotes: readonly { readonly page: number | null; readonly quote: string }[];
}

/** What lies in a folder, as one reader sees it. */
export interface FolderContents {
  readonly documents: number;
  readonly folders: readonly CountedName[];
  readonly moreFolders: number;
  readonly types: readonly CountedName[];
  readonly described: readonly DescribedDocument[];
}

/** A folder as its page describes it. */
export interface DescribedFolder {
  readonly code: string;
  readonly name: string;
  readonly entityCode: string;
}

const LONGEST_QUOTE = 400;

const counted = ({ code, name, documents }: CountedName): string =>
  `- ${markdownLine(name)} (${markdownLine(code)}): ${documents}`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];

const cut = (text: string): string =>
  markdownLine(text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE).toWellFormed()}…`);

const describedAs = ({ code, name, summary, quotes }: DescribedDocument): string => {
  const head = `- ${markdownLine(name)} (${markdownLine(code)})`;
  if (quotes.length === 0) return summary === '' ? head : `${head}: ${cut(summary)} (${markdownLine(code)})`;
  const cited = quotes.map(({ page, quote }) => {
    const place = page === null ? '' : `, page ${page}`;
    return `  - “${cut(quote)}” (${markdownLine(code)}${place})`;
  });
  return [head, ...cited].join('\n');
};

/** The page of a folder with the contents that one reader sees. */
export const compileLocation = ({ code, name, entityCode }: DescribedFolder, contents: FolderContents): string => {
  const { documents, folders, moreFolders, types, described } = contents;
  const more = moreFolders === 0 ? [] : [`- Further folders: ${moreFolders}`];
  const sections = [
    `# ${markdownLine(name)}`,
    [`- Code: ${markdownLine(code)}`, `- Entity: ${markdownLine(entityCode)}`].join('\n'),
    `- Documents: ${documents}`,
    ...section('Folders', [...folders.map(counted), ...more]),
    ...section('Types', types.map(counted)),
    ...section('Documents', described.map(describedAs)),
  ];
  return sections.join('\n\n').trimEnd() + '\n';
};
