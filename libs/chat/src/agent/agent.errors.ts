import { CrossesCalls, Forbidden } from '@acervo/contracts';

/** The group does not let API keys confirm: a person confirms in a session. */
@CrossesCalls
export class ConfirmationWithheld extends Forbidden {
  constructor() {
    super('Agents with a key do not confirm in this group (AGENT_CONFIRMS); confirm in a session of a person.');
  }
}
