/** Characters that have a control word of their own. */
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

/** Groups whose text is none of the document's. Those marked as optional (`\*`) are passed over unless they are known. */
export const PASSED_OVER: ReadonlySet<string> = new Set(
  `colortbl pict object objdata themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl
   generator xmlnstbl mmathPr fldinst bkmkstart bkmkend header headerl headerr headerf footer footerl footerr footerf
   shprslt nonshppict nonesttables nesttableprops filetbl revtbl annotation atnid atnauthor atnref atndate atnicn pn
   pnseclvl ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn xe tc tcn upr template sp passwordhash do`.split(/\s+/),
);

/** Optional groups that hold text of the document all the same. */
export const OPTIONAL_TEXT: ReadonlySet<string> = new Set(['shpinst', 'ud', 'shptxt']);

/** Encodings that a document names by a word. */
export const CODE_PAGES: ReadonlyMap<string, number> = new Map([
  ['ansi', 1252],
  ['mac', 10000],
  ['pc', 437],
  ['pca', 850],
]);
