/** The global role of a group's administrators. */
export const GROUP_ADMIN = { id: 1, code: 'SEG_ADMIN_GRUPO' } as const;
/** The global role of the operators of the installation. A command assigns it; no route does. */
export const SYSTEM = { id: 2, code: 'SISTEMA' } as const;

/** The global role of people who use documents and conversations. */
export const USER = { id: 3, code: 'USUARIO' } as const;

/** Roles whose holders are neither deleted nor stripped of them. */
export const protectedRoleIds: readonly number[] = [GROUP_ADMIN.id, SYSTEM.id];
