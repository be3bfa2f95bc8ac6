/**
 * A mail to write and send: of a registration, of an invitation sent again, of an invitation by an administrator, of a
 * forgotten password.
 */
export interface RequestedMail {
  readonly kind: 'REGISTRO' | 'REENVIO' | 'INVITACION' | 'RECUPERACION';
  readonly email: string;
  /** The names that a registration states. */
  readonly name?: string;
  readonly groupName?: string;
  /** The group of an invitation by an administrator. */
  readonly invitedTo?: string | null;
}

/** A mail that this process has leased. */
export interface LeasedMail extends RequestedMail {
  readonly mailId: string;
  readonly lease: string;
  /** Tries so far, this one included. */
  readonly attempts: number;
  /** Whether it may not be tried again after this try. */
  readonly isLast: boolean;
}
