// The packages come without types.
declare module '@nlpjs/lang-ca' {
  export class StemmerCa {
    stemWord(word: string): string;
  }
}

declare module '@nlpjs/lang-eu' {
  export class StemmerEu {
    stemWord(word: string): string;
  }
}
