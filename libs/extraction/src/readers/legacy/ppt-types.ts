/** Types of records of a presentation before 2007, as [MS-PPT] numbers them. */
export const DOCUMENT = 1_000;
export const SLIDE = 1_006;
export const SLIDE_ATOM = 1_007;
export const NOTES = 1_008;
export const SLIDE_PERSIST = 1_011;
export const TEXT_REFERENCE = 3_998;
export const TEXT_HEADER = 3_999;
export const TEXT_CHARS = 4_000;
export const TEXT_BYTES = 4_008;
export const STRING = 4_026;
export const HEADERS_FOOTERS = 4_057;
export const SLIDE_LIST = 4_080;
export const USER_EDIT = 4_085;
export const PERSIST_DIRECTORY = 6_002;
export const COMMENT = 12_000;
/** A shape of a drawing, its text, and the placeholder that it fills. */
export const SHAPE = 0xf004;
export const PLACEHOLDER = 3_011;
