/** Added to the priority of tasks that precede all backlog of any user: a few that just arrived. */
export const URGENT = 50;

/** The lowest urgent priority, whatever order users gave the tasks. */
export const LEAST_URGENT = URGENT - 10;

export const isUrgent = ({ priority }: { readonly priority: number }): boolean => priority >= LEAST_URGENT;
