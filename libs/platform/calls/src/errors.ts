import { CrossesCalls, Forbidden, Unavailable } from '@acervo/contracts';

/** The owner did not answer in time, or could not be reached. */
@CrossesCalls
export class CallUnanswered extends Unavailable {
  constructor(code: string, why: string) {
    super(`The call ${code} was not answered: ${why}.`);
  }
}

/** A frame that does not prove who sent it, for whom, or what. The reason is for the log of the owner. */
@CrossesCalls
export class FrameRefused extends Forbidden {
  constructor(reason: string) {
    super(`The call was refused: ${reason}.`);
  }
}
