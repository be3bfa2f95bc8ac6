import iconv from 'iconv-lite';

/** Code pages of the character sets of fonts. */
const OF_CHARSET = new Map([
  [77, 10000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
  [254, 437],
  [255, 850],
]);
const WESTERN = 'windows-1252';

/** Name of the encoding of a Windows code page, as iconv names it; the western one for an unknown code page. */
export const encodingOf = (codePage: number): string => {
  if (codePage === 10000) return 'macintosh';
  if (codePage === 65001) return 'utf8';
  if (codePage > 28590 && codePage < 28607) return `iso-8859-${codePage - 28590}`;
  return iconv.encodingExists(`cp${codePage}`) ? `cp${codePage}` : WESTERN;
};

/** Encoding of a font by its character set; null for the encoding of the document. */
export const encodingOfCharset = (charset: number): string | null => {
  const codePage = OF_CHARSET.get(charset);
  return codePage === undefined ? null : encodingOf(codePage);
};
