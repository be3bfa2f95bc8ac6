import { CrossesCalls, DomainError, Forbidden, InternalFailure, Unavailable } from '@acervo/contracts';
import { CodeMappingMissing } from '@acervo/public-mapping';

/** The owner did not answer in time, or could not be reached. */
@CrossesCalls
export class CallUnanswered extends Unavailable {
  constructor(code: string, why: string) {
    super(`The call ${code} was not answered: ${why}.`);
  }
}

/** The keys of a service could not be fetched, so its signatures cannot be verified. */
@CrossesCalls
export class KeysUnavailable extends Unavailable {
  constructor(service: string) {
    super(`The keys of ${service} cannot be fetched; see that it runs and that its internal port can be reached.`);
  }
}

/** A frame that does not prove its sender, its receiver or its content. The reason is for the log of the owner. */
@CrossesCalls
export class FrameRefused extends Forbidden {
  constructor(reason: string) {
    super(`The call was refused: ${reason}.`);
  }
}

/** A value of an answer has no public name: the call fails closed, with a code of its own. */
@CrossesCalls
export class AnswerWithoutPublicName extends DomainError {
  readonly code = 'PUBLIC_CODE_MAPPING_MISSING';
}

/**
 * The error that a caller receives, in process or over the network: a domain error as itself, any other without
 * details.
 */
export const crossingOf = (error: unknown, code: string): DomainError => {
  if (error instanceof DomainError) return error;
  if (error instanceof CodeMappingMissing)
    return Object.assign(new AnswerWithoutPublicName(error.message), { cause: error });
  return Object.assign(new InternalFailure(`The call ${code} failed; the log of its owner says why.`), {
    cause: error,
  });
};
