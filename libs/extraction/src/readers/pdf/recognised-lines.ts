import { ExtractionRefusal } from '../../errors';
import type { PictureOfText, RawLine, Recogniser } from '../../reader';
import { cleanText } from '../../clean-text';

/** Lines of recognised text. Their positions on the page are estimated from their order. */
export const recognisedLines = (text: string): RawLine[] => {
  const lines = cleanText(text).split('\n');
  let isNew = true;
  return lines.flatMap((line, index) => {
    const startsParagraph = isNew;
    isNew = line.trim() === '';
    if (isNew) return [];
    const [top, bottom] = [index / lines.length, (index + 1) / lines.length];
    return [{ text: line.trim(), size: 0, bold: false, top, bottom, left: 0, right: 1, startsParagraph }];
  });
};

/**
 * The recognised lines of a picture; empty after a failure, so that one page never costs a document its other pages.
 */
export const recognise = async (recogniser: Recogniser, picture: PictureOfText): Promise<RawLine[]> => {
  try {
    return recognisedLines(await recogniser.recognise(picture));
  } catch (error) {
    if (error instanceof ExtractionRefusal) return [];
    throw error;
  }
};
