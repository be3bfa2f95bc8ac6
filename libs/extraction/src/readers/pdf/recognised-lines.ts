import { ExtractionRefusal } from '../../errors';
import type { PictureOfText, RawLine, Recogniser } from '../../reader';
import { cleanText } from '../text/clean-text';

/** Lines of recognised text, whose places on the page are guessed from their order. */
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

/** What is recognised in a picture; nothing where it cannot be: one page must not cost a document its others. */
export const recognise = async (recogniser: Recogniser, picture: PictureOfText): Promise<RawLine[]> => {
  try {
    return recognisedLines(await recogniser.recognise(picture));
  } catch (error) {
    if (error instanceof ExtractionRefusal) return [];
    throw error;
  }
};
