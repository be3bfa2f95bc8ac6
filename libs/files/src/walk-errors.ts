import type { ExclusionsRefused } from './ignore-rules';

/** The root cannot be listed, or is no longer the registered folder. */
export class RootUnreadable extends Error {
  /**
   * @param forExclusions only its file of exclusions is unreadable or refused
   * @param refused the rule that cannot be applied
   */
  constructor(
    readonly forExclusions = false,
    readonly refused?: Pick<ExclusionsRefused, 'line' | 'problem'>,
  ) {
    super('The root folder cannot be read, so the state of its documents is unknown.');
    this.name = 'RootUnreadable';
  }
}

/** The root, or too many entries below it, were not answered in time. */
export class WalkHung extends Error {}
