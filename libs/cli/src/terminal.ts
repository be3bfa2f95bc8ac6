/** What the commands need of the machine: streams, settings, files and questions. Tests have one of their own. */
export interface Terminal {
  /** Environment of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of the settings of this user. */
  readonly settingsFolder: string;
  /** Whether a person reads the output and may be asked. */
  readonly isInteractive: boolean;
  /** Columns of the output; tables for programs are not cut. */
  readonly columns: number;
  print(text: string): void;
  printError(text: string): void;
  /** Replaces the last line of progress; an empty text removes it. */
  progress(text: string): void;
  /** Asks without showing what is typed. */
  askSecret(question: string): Promise<string>;
  /** Asks and returns the typed line; empty without an answer. */
  ask(question: string): Promise<string>;
  /** All of the standard input. */
  readInput(): Promise<string>;
  /** Opens a file or an address with the program of the desktop. */
  open(target: string): Promise<void>;
  pause(ms: number): Promise<void>;
}
