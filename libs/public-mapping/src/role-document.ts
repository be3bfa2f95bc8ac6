import { applicationName, functionDescription, functionName, roleDescription, roleName } from './product-texts';
import { builtInRole } from './vocabularies';
import { CodeMappingMissing, type Vocabulary } from './vocabulary';

const NAME = 'role_document';
const headings: Readonly<Record<string, string>> = { Aplicaciones: 'Applications', Funciones: 'Functions' };
const levels: Readonly<Record<string, string>> = {
  usuario: 'user',
  administrador: 'administrator',
  sistema: 'system',
};

/** The text of a part of Markdown, and the Markdown of a text. */
const textOf = (markdown: string): string => markdown.replaceAll(/\\(.)/g, '$1');
const markdownOf = (text: string): string => text.replaceAll('_', '\\_');

/** A part that is a text of the product, in English; any other part as it is. */
const inEnglish = (texts: Vocabulary, markdown: string): string => {
  const text = textOf(markdown);
  const english = texts.toPublic(text);
  return english === text ? markdown : markdownOf(english);
};

/** @throws CodeMappingMissing */
const wordOf = (table: Readonly<Record<string, string>>, word: string): string => {
  const found = Object.hasOwn(table, word) ? table[word] : undefined;
  if (found === undefined) throw new CodeMappingMissing(NAME);
  return found;
};

const cutAt = (text: string, separator: string): [string, string] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
};

/** `Name** (url): Description`, in which the signs of Markdown are escaped. */
const functionInEnglish = (described: string): string => {
  const [name, rest] = cutAt(described, '** (');
  const [url, description] = cutAt(rest, '): ');
  return `${inEnglish(functionName, name)}** (${url}): ${inEnglish(functionDescription, description)}`;
};

type Rule = readonly [line: RegExp, english: (...parts: string[]) => string];

/** What each line of the document of a role says; the first rule that fits a line translates it. */
const rules: readonly Rule[] = [
  [/^# (.*)$/, (name) => `# ${inEnglish(roleName, name)}`],
  [/^- Código: (.*)$/, (code) => `- Code: ${markdownOf(builtInRole.toPublic(textOf(code)))}`],
  [/^- Nivel de acceso: (.*)$/, (level) => `- Access level: ${wordOf(levels, level)}`],
  [/^## (.*)$/, (heading) => `## ${wordOf(headings, heading)}`],
  [/^Ninguna todavía\.$/, () => 'None yet.'],
  [/^- \*\*(.*)$/, (described) => `- **${functionInEnglish(described)}`],
  [/^- (.*)$/, (application) => `- ${inEnglish(applicationName, application)}`],
  [/^(.*)$/, (description) => inEnglish(roleDescription, description)],
];

const translated = (line: string): string => {
  for (const [pattern, english] of rules) {
    const found = pattern.exec(line);
    if (found !== null) return english(...found.slice(1));
  }
  return line;
};

/** The document of a role of the product names its code, which no other role may have. */
const isOfProduct = (document: string): boolean => {
  const code = /^- Código: (.*)$/m.exec(document)?.[1];
  return code !== undefined && builtInRole.internalCodes.some((each) => each === textOf(code));
};

/**
 * Documents of roles. Those of the product are compiled in Spanish, from its texts, and are English in public: line by
 * line, so that names and descriptions that a SYSTEM user wrote stay as they are. Documents of other roles stay as they
 * are. A heading or a level without an English word fails closed.
 */
export const roleDocument: Vocabulary = Object.freeze({
  name: NAME,
  internalCodes: [],
  publicCodes: [],
  /** @throws CodeMappingMissing */
  toPublic: (document: string): string =>
    isOfProduct(document) ? document.split('\n').map(translated).join('\n') : document,
  toInternal: (document: string): string => document,
});
