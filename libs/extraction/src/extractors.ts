import type { ExtractedText } from '@acervo/analysis';
import { FileTooLarge, UnsupportedFile } from './errors';
import type { Extractor } from './extractor';
import type { AcquiredFile } from './reader';
import { MarkdownExtractor } from './markdown-extractor';
import { TextExtractor } from './text-extractor';

/** Largest file that is read, in bytes. */
export const MOST_BYTES = 50_000_000;

const extractors: readonly Extractor[] = [new TextExtractor(), new MarkdownExtractor()];

export const endingOf = (name: string): string => /\.([^./\\]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Who reads a file of this name; undefined where nobody does. */
export const extractorFor = (name: string): Extractor | undefined =>
  extractors.find(({ endings }) => endings.includes(endingOf(name)));

export const isSupported = (name: string): boolean => extractorFor(name) !== undefined;

/** Why a file of this name is not read, for people. */
export const unsupportedReason = (name: string): string => {
  const ending = endingOf(name);
  return ending === ''
    ? 'Files without an ending are not read yet.'
    : `Files of type .${ending.replace(/[^a-z0-9]/g, '')} are not read yet.`;
};

/** The text of a file. @throws ExtractionRefusal with a reason that can be shown. */
export const extractText = async (file: AcquiredFile): Promise<ExtractedText> => {
  const extractor = extractorFor(file.name);
  if (extractor === undefined) throw new UnsupportedFile(unsupportedReason(file.name));
  if (file.bytes.length > MOST_BYTES) throw new FileTooLarge(MOST_BYTES);
  return extractor.extract(file);
};
