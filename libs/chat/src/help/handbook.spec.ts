import { createHash } from 'node:crypto';
import { sentences } from '@acervo/analysis';
import { allOperations, screenNames } from '@acervo/contracts';
import { builtInRole, documentStatus, functionName, profile, publicErrors, spaceType } from '@acervo/public-mapping';
import { handbook, HANDBOOK_VERSION, type HandbookSection, helpLanguages } from './handbook';
import { handbookInEnglish } from './handbook/en';
import { handbookInSpanish } from './handbook/es';
import { sectionCodes } from './handbook/section';

const sectionsOf = helpLanguages.flatMap((language) =>
  handbook[language].map((section) => [`${section.code} in ${language}`, section] as const),
);
const textOf = (language: (typeof helpLanguages)[number]): string =>
  handbook[language].map(({ text }) => text).join('\n');

/** Codes, names of parameters and figures, which are the same in every language. */
const technicalWords = ({ text }: HandbookSection): string[] =>
  [...text.replaceAll('1.200', '1,200').matchAll(/\b(?:[A-Z]{2,}[\w-]*|[a-z]+_[a-z_]+|\d[\d,]*)\b/gu)]
    .map(([word]) => word)
    .filter((word) => word !== 'API')
    .toSorted();

describe('the handbook', () => {
  it('a change of a text raises the version', () => {
    const digest = createHash('sha256').update(JSON.stringify(handbook)).digest('hex').slice(0, 16);
    expect({ version: HANDBOOK_VERSION, digest }).toEqual({ version: '3', digest: '4d16151df09debef' });
  });
  it('both languages have the same sections', () => {
    for (const text of [handbookInSpanish, handbookInEnglish]) expect(Object.keys(text)).toEqual(sectionCodes);
  });
  it.each(sectionCodes)('%s says as much in both languages', (code) => {
    const [spanish, english] = helpLanguages.map((language) =>
      handbook[language].filter((section) => section.code === code),
    );
    expect(handbookInSpanish[code].sentences).toHaveLength(handbookInEnglish[code].sentences.length);
    expect(spanish?.map(({ screens }) => screens.toSorted())).toEqual(
      english?.map(({ screens }) => screens.toSorted()),
    );
    expect(spanish?.map(technicalWords)).toEqual(english?.map(technicalWords));
  });
  it.each(sectionsOf)('%s has three to eight whole sentences', (_name, { text }) => {
    const found = sentences(text).map(({ start, end }) => text.slice(start, end));
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found.length).toBeLessThanOrEqual(8);
    for (const sentence of found) expect(sentence).toMatch(/^[\p{Lu}].{19,400}\.$/u);
  });
  it.each(sectionsOf)('%s has no links, addresses, marks or HTML', (_name, { title, text }) => {
    expect(`${title} ${text.replaceAll('/v1', '')}`).not.toMatch(/[/@<>[\]{}#*`]|www/u);
  });
});

describe('what the handbook names', () => {
  it('a screen has a title in both languages', () => {
    for (const { screens } of handbook.en)
      for (const screen of screens) expect(functionName.internalCodes).toContain(screenNames[screen]);
    expect(textOf('es')).toContain('la pantalla Claves de API');
    expect(textOf('en')).toContain('the screen API keys');
  });
  it.each(helpLanguages)('each status, role, level and kind of space is named in %s', (language) => {
    const named = [documentStatus, builtInRole, profile, spaceType].flatMap(({ publicCodes }) => [...publicCodes]);
    expect(named.filter((code) => !textOf(language).includes(code))).toEqual([]);
  });
  it.each(helpLanguages)('an error has the status that it has (%s)', (language) => {
    const errors = [...textOf(language).matchAll(/error (\d{3}) ([A-Z_]{4,})/gu)].map(([, status, code]) => [
      code,
      status,
    ]);
    const listed = Object.entries(publicErrors).map(([code, { status }]) => [code, String(status)]);
    expect(errors.length).toBeGreaterThanOrEqual(10);
    expect(listed).toEqual(expect.arrayContaining(errors));
  });
  it('an operation exists', () => {
    const codes = allOperations().map(({ code }) => code);
    const named = [...textOf('en').matchAll(/\b[a-z_]+\.[a-z_]+\b/gu)].map(([code]) => code);
    expect(named).toEqual(['spaces.create']);
    expect(codes).toEqual(expect.arrayContaining(named));
  });
});
