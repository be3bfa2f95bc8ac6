// The package comes without types.
declare module 'word-extractor' {
  interface Options {
    /** Quotes and dashes stay as they are written. */
    readonly filterUnicode: false;
    readonly includeFooters?: false;
  }

  interface WordDocument {
    getBody(options: Options): string;
    getFootnotes(options: Options): string;
    getEndnotes(options: Options): string;
    getHeaders(options: Options): string;
    getFooters(options: Options): string;
    getAnnotations(options: Options): string;
    getTextboxes(options: Options): string;
  }

  export default class WordExtractor {
    extract(source: Buffer): Promise<WordDocument>;
  }
}
