/** Added to the priority of work that goes before all backlog, whoever's it is: a few pieces that just arrived. */
export const URGENT = 50;

/** From this priority on a piece is urgent, whatever order people gave it. */
export const LEAST_URGENT = URGENT - 10;

export const isUrgent = ({ priority }: { readonly priority: number }): boolean => priority >= LEAST_URGENT;
