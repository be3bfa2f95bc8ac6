// The package comes without types.
declare module '@nlpjs/lang-ca' {
  export class StemmerCa {
    stemWord(word: string): string;
  }
}
