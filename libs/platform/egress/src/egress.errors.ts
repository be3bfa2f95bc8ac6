/** A request that was not sent, or whose answer is not used. The message never contains an address or what a site sent. */
export abstract class EgressFailure extends Error {
  abstract readonly code: string;
  /** A later request can succeed although neither the address nor the site's rules change. */
  readonly isTransient: boolean = false;
}

/** Why an address is refused before anything is sent to it. */
export type AddressProblem = 'FORM' | 'SCHEME' | 'CREDENTIALS' | 'PORT' | 'HOST' | 'FORBIDDEN_NETWORK';

const PROBLEMS: Readonly<Record<AddressProblem, string>> = {
  FORM: 'it is no complete address of at most 2,048 characters without spaces',
  SCHEME: 'it begins with neither https:// nor http://',
  CREDENTIALS: 'it contains a user or a password',
  PORT: 'its port is not one of the allowed ones',
  HOST: 'its host is no name of the internet',
  FORBIDDEN_NETWORK: 'its host lies in a network that is not public',
};

/** The address, or one that a redirect led to, may not be asked. */
export class AddressRefused extends EgressFailure {
  readonly code = 'ADDRESS_REFUSED';

  constructor(readonly problem: AddressProblem) {
    super(`The address is not fetched: ${PROBLEMS[problem]}.`);
    this.name = 'AddressRefused';
  }
}

/** The rules of the site forbid this page. */
export class RobotsForbid extends EgressFailure {
  readonly code = 'ROBOTS_FORBID';

  constructor() {
    super('The robots.txt of the site forbids to fetch the page.');
    this.name = 'RobotsForbid';
  }
}

export class TooManyRedirects extends EgressFailure {
  readonly code = 'TOO_MANY_REDIRECTS';

  constructor(most: number) {
    super(`The site redirects more than ${most} times.`);
    this.name = 'TooManyRedirects';
  }
}

/** What an answer has that is not read. */
export type AnswerProblem = 'SIZE' | 'HEADERS' | 'TYPE' | 'ENCODING' | 'REDIRECT';

const ANSWER_PROBLEMS: Readonly<Record<AnswerProblem, string>> = {
  SIZE: 'it is too large',
  HEADERS: 'its headers are too large',
  TYPE: 'its content type is not one of the requested ones',
  ENCODING: 'its compression is unknown or broken',
  REDIRECT: 'it redirects without a usable address',
};

/** The site answered with something that is not read. */
export class AnswerRefused extends EgressFailure {
  readonly code = 'ANSWER_REFUSED';

  constructor(readonly problem: AnswerProblem) {
    super(`The answer of the site is not read: ${ANSWER_PROBLEMS[problem]}.`);
    this.name = 'AnswerRefused';
  }
}

/** The site cannot be reached, or does not answer completely in time. */
export class SiteUnavailable extends EgressFailure {
  readonly code = 'SITE_UNAVAILABLE';
  override readonly isTransient = true;

  constructor(readonly reason: 'NAME' | 'CONNECTION' | 'TIME' | 'ROBOTS') {
    super(`The site did not answer (${reason.toLowerCase()}).`);
    this.name = 'SiteUnavailable';
  }
}

/** Requests to this host, or of this group, come too fast. */
export class EgressBusy extends EgressFailure {
  readonly code = 'EGRESS_BUSY';
  override readonly isTransient = true;

  constructor(
    readonly counted: 'HOST' | 'GROUP',
    readonly retryAfterSeconds: number,
  ) {
    super(`Too many pages are fetched ${counted === 'HOST' ? 'from this host' : 'for this group'} at the moment.`);
    this.name = 'EgressBusy';
  }
}
