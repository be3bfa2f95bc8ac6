import { behaviourClass, type BehaviourClass } from '@acervo/public-mapping';
import { Choice, Text, TextList } from '../fields';

/** One thing that a function does. */
export class FunctionBehaviourItem {
  @Choice(behaviourClass.internalCodes, {
    publicly: behaviourClass,
    wire: 'clase',
    description: 'What the sentence describes',
  })
  readonly class!: BehaviourClass;
  @Text({ wire: 'seccion', min: 1, max: 120, description: 'Title of its section' }) readonly section!: string;
  @Text({ wire: 'texto', min: 1, max: 1_000, description: 'The sentence' }) readonly text!: string;
  @TextList({
    wire: 'operaciones',
    max: 50,
    length: 120,
    optional: true,
    description: 'Codes of the operations that it uses',
  })
  readonly operations?: readonly string[];
}
