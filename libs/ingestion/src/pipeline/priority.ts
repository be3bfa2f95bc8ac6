/** Documents that nobody moved forward or back. */
export const USUAL_ORDER = 5;

/** The order that people give, 1 first and 9 last, as the priority of tasks, of which the highest is taken first. */
export const priorityOf = (order: number): number => USUAL_ORDER - order;
