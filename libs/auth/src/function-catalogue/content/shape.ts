import type { Screen } from '@acervo/contracts';
import type { BehaviourClass } from '@acervo/public-mapping';

/** A titled part of the document of a screen: prose for the people who use it, in Spanish. */
export interface FunctionSection {
  /** Unique within the screen; behaviours refer to it. */
  readonly title: string;
  /** One paragraph or a few, parted by an empty line. */
  readonly text: string;
}

/**
 * One thing that a screen does, as a full sentence in Spanish. By class: NAVEGACION, what loads on entry or where the
 * screen leads; INTERACCION, a gesture and its effect; SEGUNDO_PLANO, what goes on without anyone acting; DETENCION,
 * how work in progress is interrupted; RECUPERACION, how an interrupted state is picked up again.
 */
export interface FunctionBehaviour {
  readonly class: BehaviourClass;
  /** Title of one of the screen's sections. */
  readonly section: string;
  readonly text: string;
  /** Codes of the operations of the screen that it uses; absent where it uses none. */
  readonly operations?: readonly string[];
}

/**
 * The description of one screen for its users, in Spanish. No sentence occurs in two descriptions. A test checks every
 * content against this shape and its bounds.
 */
export interface FunctionContent {
  readonly code: Screen;
  /** What the screen needs is not built: its served description begins with that. */
  readonly isPlanned?: true;
  /** Title of the screen in menus; at most 80 characters. */
  readonly name: string;
  /** Short form for tight places; at most 30 characters, unique. */
  readonly alias: string;
  /** What the screen is, in one sentence; at most 300 characters. */
  readonly description: string;
  /** What a user achieves there, in two to four sentences; at most 1,000 characters. */
  readonly summary: string;
  /** Path in a client application, such as `/administracion/usuarios`; lower case, unique. */
  readonly url: string;
  /** At least two. */
  readonly sections: readonly FunctionSection[];
  /** Every class that the screen has; NAVEGACION and INTERACCION always. */
  readonly behaviours: readonly FunctionBehaviour[];
}
