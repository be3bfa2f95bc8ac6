// The operations, calls and events that a page names by their code are declared in the contracts.
import { codeSpans } from './page.mjs';

const CODE = /^[a-z_]+\.[a-z_]+$/;
/** A table and members of an object, which look like codes. */
const NO_CODES = new Set(['groups.each', 'groups.one', 'operations.model_call']);

/** All codes of the contracts. @param sources texts of libs/contracts/src */
export const codesIn = (sources) =>
  new Set(sources.flatMap((source) => [...source.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, code]) => code)));

/** Codes of a page that begin as one of the contracts and are none. @param codes see `codesIn` */
export const codeProblems = (page, text, codes) => {
  const subjects = new Set([...codes].map((code) => code.split('.')[0]));
  return codeSpans(text)
    .filter(({ code }) => CODE.test(code) && subjects.has(code.split('.')[0]))
    .filter(({ code }) => !codes.has(code) && !NO_CODES.has(code))
    .map(({ at, code }) => `${page}:${at} names ${code}, which no contract declares: correct the code.`);
};
