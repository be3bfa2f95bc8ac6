import { Conflict, CrossesCalls } from '@acervo/contracts';

/** The group does without help about the service. */
@CrossesCalls
export class HelpDisabled extends Conflict {
  constructor() {
    super('Help is not enabled for the group; an administrator enables it by the parameter HELP_ENABLED.');
  }
}

/** The key of a repeated request asked another question, or its conversation was deleted. */
@CrossesCalls
export class KeyOfAnotherQuestion extends Conflict {
  constructor() {
    super('The idempotency key asked another question, or its answer is gone; use another key.');
  }
}
