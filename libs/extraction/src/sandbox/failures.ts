import {
  DamagedFile,
  EncryptedContent,
  ExtractionRefusal,
  FileTooLarge,
  LimitExceeded,
  NoTextFound,
  PasswordProtected,
  ReadingFailed,
  ReadingTookTooLong,
  ReadingTookTooMuch,
  UnreadableText,
  UnsupportedFile,
} from '../errors';

/** An error as plain data. Only a refusal keeps its message: other messages may contain parts of the file. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly outcome: ExtractionRefusal['outcome'] | null;
  /** Position in the program, for errors of unknown classes. */
  readonly at: string;
}

const makers: readonly (() => ExtractionRefusal)[] = [
  () => new UnsupportedFile(''),
  () => new NoTextFound(),
  () => new UnreadableText(),
  () => new PasswordProtected(),
  () => new EncryptedContent(),
  () => new DamagedFile(),
  () => new FileTooLarge(0),
  () => new LimitExceeded('', 0),
  () => new ReadingTookTooLong(0),
  () => new ReadingTookTooMuch(0),
  () => new ReadingFailed(null),
];

const makerOf = new Map(makers.map((make) => [make().constructor.name, make]));

/** The innermost position of an error in this program: file and line, without the message. */
const placeOf = (error: unknown): string => {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return /^ {4}at .*?(?<![\w.-])([\w.-]+\.[cm]?[jt]s:\d+)/m.exec(stack)?.[1] ?? 'an unknown place';
};

export const failureOf = (error: unknown): Failure => {
  if (error instanceof ExtractionRefusal)
    return { name: error.constructor.name, message: error.message, outcome: error.outcome, at: '' };
  return { name: error instanceof Error ? error.name : 'Error', message: '', outcome: null, at: placeOf(error) };
};

/** The refusal of another process as its class; undefined for any other failure. */
export const refusalOf = ({ name, message, outcome }: Failure): ExtractionRefusal | undefined => {
  if (outcome === null) return undefined;
  const make = makerOf.get(name) ?? (() => (outcome === 'ERROR' ? new DamagedFile() : new UnsupportedFile('')));
  return Object.assign(make(), { message });
};
