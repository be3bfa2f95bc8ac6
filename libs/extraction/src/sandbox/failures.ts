import {
  DamagedFile,
  ExtractionRefusal,
  FileTooLarge,
  LimitExceeded,
  NoTextFound,
  PasswordProtected,
  ReadingFailed,
  ReadingTookTooLong,
  ReadingTookTooMuch,
  UnsupportedFile,
} from '../errors';

/** An error as plain data. Only a refusal keeps its message: any other may hold something of the file. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly outcome: ExtractionRefusal['outcome'] | null;
  /** Where in the program it happened, for errors that are none of the known ones. */
  readonly at: string;
}

const makers: readonly (() => ExtractionRefusal)[] = [
  () => new UnsupportedFile(''),
  () => new NoTextFound(),
  () => new PasswordProtected(),
  () => new DamagedFile(),
  () => new FileTooLarge(0),
  () => new LimitExceeded('', 0),
  () => new ReadingTookTooLong(0),
  () => new ReadingTookTooMuch(0),
  () => new ReadingFailed(null),
];

const makerOf = new Map(makers.map((make) => [make().constructor.name, make]));

/** The innermost place of an error in this program: its file and line, nothing of its message. */
const placeOf = (error: unknown): string => {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return /\bat [^\n]*?([\w.-]+\.[cm]?[jt]s:\d+)/.exec(stack)?.[1] ?? 'an unknown place';
};

export const failureOf = (error: unknown): Failure => {
  if (error instanceof ExtractionRefusal)
    return { name: error.constructor.name, message: error.message, outcome: error.outcome, at: '' };
  return { name: error instanceof Error ? error.name : 'Error', message: '', outcome: null, at: placeOf(error) };
};

/** A refusal from the other side as its class; undefined for a failure that is none. */
export const refusalOf = ({ name, message, outcome }: Failure): ExtractionRefusal | undefined => {
  if (outcome === null) return undefined;
  const make = makerOf.get(name) ?? (() => (outcome === 'ERROR' ? new DamagedFile() : new UnsupportedFile('')));
  return Object.assign(make(), { message });
};
