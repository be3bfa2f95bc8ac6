import { behaviourClass, type BehaviourClass } from '@acervo/public-mapping';
import type { FunctionBehaviour, FunctionSection } from './content';

/** The source of the document of a function. */
export interface DescribedFunction {
  readonly code: string;
  readonly name: string;
  readonly alias: string;
  readonly description: string;
  readonly summary: string;
  readonly url: string;
  readonly sections: readonly FunctionSection[];
  readonly behaviours: readonly FunctionBehaviour[];
}

const headings: Readonly<Record<BehaviourClass, string>> = {
  NAVEGACION: 'Navegación',
  INTERACCION: 'Interacción',
  SEGUNDO_PLANO: 'En segundo plano',
  DETENCION: 'Detención',
  RECUPERACION: 'Recuperación',
};

/** A line of text that Markdown does not take for structure or markup, HTML included. */
const inert = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>#|~]/g, (sign) => `\\${sign}`)
    .replace(/^([^\S\n\r\u2028\u2029]*)([-+=]|\d+[.)])/gm, '$1\\$2');

const line = (text: string): string => inert(text.replaceAll(/\s+/g, ' ').trim());

const paragraphs = (text: string): string[] =>
  text
    .split('\n\n')
    .map(line)
    .filter((part) => part !== '');

const assembled = (blocks: readonly string[]): string => `${blocks.filter((block) => block !== '').join('\n\n')}\n`;

const behavioursOf = (all: readonly FunctionBehaviour[], section: string): string[] =>
  behaviourClass.internalCodes.flatMap((code) => {
    const behaviours = all.filter((behaviour) => behaviour.class === code && behaviour.section === section);
    return behaviours.length === 0
      ? []
      : [`### ${headings[code]}`, behaviours.map(({ text }) => `- ${line(text)}`).join('\n')];
  });

/** The document of a function: its purpose, then each section with its behaviours. */
export const compileFunction = (described: DescribedFunction): string => {
  const { code, name, alias, description, summary, url, sections, behaviours } = described;
  return assembled([
    `# ${line(name)}`,
    `${line(description)}`,
    [`- Código: ${line(code)}`, `- Alias: ${line(alias)}`, `- Dirección: ${line(url)}`].join('\n'),
    ...paragraphs(summary),
    ...sections.flatMap(({ title, text }) => [
      `## ${line(title)}`,
      ...paragraphs(text),
      ...behavioursOf(behaviours, title),
    ]),
  ]);
};

/** The source of the document of a role. */
export interface DescribedRole {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly profile: string;
  readonly functions: readonly { readonly name: string; readonly url: string; readonly description: string }[];
  readonly applications: readonly { readonly name: string }[];
}

const levels: Readonly<Record<string, string>> = {
  USUARIO: 'usuario',
  ADMINISTRADOR: 'administrador',
  SISTEMA: 'sistema',
};

/** The document of a role: its level, its applications, and the purpose of each of its functions. */
export const compileRole = ({ code, name, description, profile, functions, applications }: DescribedRole): string =>
  assembled([
    `# ${line(name)}`,
    line(description),
    [`- Código: ${line(code)}`, `- Nivel de acceso: ${levels[profile] ?? line(profile)}`].join('\n'),
    '## Aplicaciones',
    applications.map((application) => `- ${line(application.name)}`).join('\n') || 'Ninguna todavía.',
    '## Funciones',
    functions.map((each) => `- **${line(each.name)}** (${line(each.url)}): ${line(each.description)}`).join('\n') ||
      'Ninguna todavía.',
  ]);
