import { isUrgent, URGENT } from '@acervo/platform-queue';

/** Documents that nobody moved forward or back. */
export const USUAL_ORDER = 5;

/** The order that people give, 1 first and 9 last, as the priority of tasks, of which the highest is taken first. */
export const priorityOf = (order: number): number => USUAL_ORDER - order;

/** Documents that a scan set going, up to which they go before all backlog: somebody just put them there. */
export const FEW = 16;

/** The priority of a document's next step: urgent work stays urgent to its end. */
export const priorityAfter = (order: number, before: { readonly priority: number }): number =>
  priorityOf(order) + (isUrgent(before) ? URGENT : 0);

/** Work on a run that somebody wants done goes before all other work but urgent one. */
export const ADVANCED = 20;
