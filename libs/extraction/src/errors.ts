/** A file without text, for a reason that users may see. The message never contains content of the file. */
export abstract class ExtractionRefusal extends Error {
  /** `UNSUPPORTED`: the file is valid, but no reader exists. `ERROR`: the file itself is faulty. */
  abstract readonly outcome: 'UNSUPPORTED' | 'ERROR';
}

export class UnsupportedFile extends ExtractionRefusal {
  readonly outcome = 'UNSUPPORTED';
}

export class NoTextFound extends ExtractionRefusal {
  readonly outcome = 'UNSUPPORTED';
  constructor() {
    super('No text found.');
  }
}

/** A file shows its letters by fonts that do not name them. */
export class UnreadableText extends ExtractionRefusal {
  readonly outcome = 'ERROR';
  constructor() {
    super(
      'The text cannot be read: its fonts do not name their letters. Recognition of pictures (tesseract) reads it.',
    );
  }
}

export class PasswordProtected extends ExtractionRefusal {
  readonly outcome = 'ERROR';
  constructor() {
    super('The file is protected by a password.');
  }
}

export class EncryptedContent extends ExtractionRefusal {
  readonly outcome = 'ERROR';
  constructor() {
    super('The content is encrypted for its recipient; decrypt it with the key of that person and save it again.');
  }
}

export class DamagedFile extends ExtractionRefusal {
  readonly outcome = 'ERROR';
  constructor() {
    super('The file is damaged: it cannot be read as what it says it is.');
  }
}

export class FileTooLarge extends ExtractionRefusal {
  readonly outcome = 'ERROR';
  constructor(most: number) {
    super(`The file is larger than ${Math.floor(most / 1_000_000)} MB, the most that is read.`);
  }
}

/** The file exceeds a limit. */
export class LimitExceeded extends ExtractionRefusal {
  readonly outcome = 'ERROR';
  /** @param what in plain words, such as `inflated bytes` or `pages`. */
  constructor(what: string, most: number) {
    super(`The file has more than ${most} ${what}, the most that is read.`);
  }
}

/** Reading the file exceeded the time limit. */
export class ReadingTookTooLong extends ExtractionRefusal {
  readonly outcome = 'ERROR';
  constructor(seconds: number) {
    super(`The file was given up after ${seconds} seconds without progress.`);
  }
}

/** Reading the file exceeded the memory limit. */
export class ReadingTookTooMuch extends ExtractionRefusal {
  readonly outcome = 'ERROR';
  constructor(megabytes: number) {
    super(`The file takes more than ${megabytes} MB of memory to read, the most that a file gets.`);
  }
}

/** Reading the file crashed its process, repeatedly. */
export class ReadingFailed extends ExtractionRefusal {
  readonly outcome = 'ERROR';
  /** @param page of the crash, for a file that is read by pages. */
  constructor(page: number | null) {
    super(page === null ? 'The file cannot be read.' : `Page ${page} of the file cannot be read.`);
  }
}
