import { type LeftOutReason, leftOutReasons, type PartKind, partKinds } from '@acervo/public-mapping';
import { Choice, Int, ListOf } from '../fields';

export class LeftOut {
  @Choice(leftOutReasons, { publicly: 'same', description: 'Why the parts are not in the text' })
  readonly reason!: LeftOutReason;
  @Int({ description: 'Parts that are left out for this reason' }) readonly count!: number;
}

export class PartCount {
  @Choice(partKinds, { publicly: 'same', description: 'What the parts are' }) readonly kind!: PartKind;
  @Int({ description: 'Parts in the file, counted before they are read' }) readonly counted!: number;
  @Int({ description: 'Parts that were read' }) readonly read!: number;
  @ListOf(() => LeftOut, { max: leftOutReasons.length, description: 'The other parts, by reason' })
  readonly leftOut!: readonly LeftOut[];
}

export class ExtractionReport {
  @ListOf(() => PartCount, { max: partKinds.length, description: 'The parts of the file, one entry a kind' })
  readonly parts!: readonly PartCount[];
}
