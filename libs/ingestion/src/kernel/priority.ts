import { isUrgent, URGENT } from '@acervo/platform-queue';

/** The order of documents that no user moved forward or back. */
export const USUAL_ORDER = 5;

/** The order that users give, 1 first and 9 last, as the priority of tasks; the highest priority runs first. */
export const priorityOf = (order: number): number => USUAL_ORDER - order;

/** Up to so many documents of one scan are urgent and go before all backlog: a user has just added them. */
export const FEW = 16;

/** The priority of a document's next step: urgent work stays urgent to its end. */
export const priorityAfter = (order: number, before: { readonly priority: number }): number =>
  priorityOf(order) + (isUrgent(before) ? URGENT : 0);

/** Work that a user advanced goes before all other work except urgent work. */
export const ADVANCED = 20;
