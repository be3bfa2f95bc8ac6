import { Injectable } from '@nestjs/common';
import { BaseConfig } from '@acervo/platform-config';

/** What a link lets a person do: set a first password, or another one. */
export type LinkPurpose = 'INVITACION' | 'RECUPERACION';

/** Links to the form that sets a password. */
@Injectable()
export class PasswordLinks {
  constructor(private readonly config: BaseConfig) {}

  /** The token is in the fragment of the URL, which no server and no log on the way receives. */
  withToken(token: string): string {
    return `${this.config.publicUrl.replace(/\/$/, '')}/auth/establecer-clave#${token}`;
  }
}
