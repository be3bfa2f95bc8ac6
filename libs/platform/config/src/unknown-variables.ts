import type { Environment } from './settings';

const PREFIX = 'ACERVO_';
/** A client's place of a root folder (`home_var` of answers), one name per folder. */
const HOME_OF_A_CLIENT = /^ACERVO_HOME_/;

const LINK_VALUE = /^(tcp|udp|sctp):\/\//;
const LINKED_PORT = /_PORT_\d{1,5}_(TCP|UDP|SCTP)/;

/** Whether Kubernetes describes a service of the namespace by this variable. */
const isServiceLink = (name: string, value: string): boolean =>
  name.endsWith('_SERVICE_HOST') ||
  name.includes('_SERVICE_PORT') ||
  LINKED_PORT.test(name) ||
  (name.endsWith('_PORT') && LINK_VALUE.test(value));

/** The number of letters to insert, remove or replace that makes one text of the other (Levenshtein). */
export const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, against] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === against ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

const nearestTo = (name: string, names: Iterable<string>): string => {
  const [nearest] = [...names].toSorted((a, b) => distance(name, a) - distance(name, b) || a.localeCompare(b));
  return nearest ?? '';
};

const linkProblem = (links: readonly string[]): string[] => {
  const [first, ...others] = links;
  if (first === undefined) return [];
  const which =
    others.length === 0 ? `${first} is a service link` : `${first} and ${others.length} more are service links`;
  return [
    `${which} of Kubernetes, which may overwrite settings; write enableServiceLinks: false into the spec of the pod.`,
  ];
};

/**
 * Problems with variables of an environment that begin with `ACERVO_`, have a value and are not known: each with the
 * nearest known name; service links of Kubernetes in one line. Values are not repeated.
 */
export const unknownVariables = (environment: Environment, knownNames: ReadonlySet<string>): string[] => {
  const named = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[0].startsWith(PREFIX) && entry[1] !== undefined && entry[1] !== '',
  );
  const links = named.filter(([name, value]) => isServiceLink(name, value)).map(([name]) => name);
  const unknown = named
    .map(([name]) => name)
    .filter((name) => !links.includes(name) && !knownNames.has(name) && !HOME_OF_A_CLIENT.test(name));
  return [
    ...unknown.map((name) => `${name} is no setting; the nearest one is ${nearestTo(name, knownNames)}.`),
    ...linkProblem(links),
  ];
};
