/** One mail to one person, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail. */
export abstract class Mailer {
  /** @throws when the mail was not accepted. */
  abstract send(mail: Mail): Promise<void>;
  abstract close(): void;
}
