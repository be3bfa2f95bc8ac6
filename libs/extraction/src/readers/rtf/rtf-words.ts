/** Characters with a control word. */
export const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['lbr', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['~', '\u00a0'],
  ['_', '-'],
  ['{', '{'],
  ['}', '}'],
  ['\\', '\\'],
]);

/** Groups whose text is not part of the document. Optional groups (`\*`) are skipped unless they are known. */
export const PASSED_OVER: ReadonlySet<string> = new Set(
  `colortbl pict object objdata themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl
   generator xmlnstbl mmathPr fldinst bkmkstart bkmkend
   shprslt nonshppict nonesttables nesttableprops filetbl revtbl atnid atnauthor atnref atndate atnicn pn
   pnseclvl ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn xe tc tcn upr template sp passwordhash do`.split(/\s+/),
);

/** Optional groups that nevertheless contain text of the document. */
export const OPTIONAL_TEXT: ReadonlySet<string> = new Set(['shpinst', 'ud', 'shptxt']);

/** Encodings with a control word. */
export const CODE_PAGES: ReadonlyMap<string, number> = new Map([
  ['ansi', 1252],
  ['mac', 10000],
  ['pc', 437],
  ['pca', 850],
]);
