import { Injectable } from '@nestjs/common';
import { EMBED, HAND_OVER } from '../stages';
import type { Done, Step } from './step';

/** Passes on what a program of an earlier release left at this stage: vectors follow the hand-over. */
@Injectable()
export class EmbedStep implements Step {
  readonly stage = EMBED;
  readonly from = 'FRAGMENTADO';
  readonly to = 'FRAGMENTADO';
  readonly next = HAND_OVER;
  readonly atOnce = 1;

  work(): Promise<Done> {
    return Promise.resolve({ patch: {}, objects: [], keep: () => Promise.resolve() });
  }
}
