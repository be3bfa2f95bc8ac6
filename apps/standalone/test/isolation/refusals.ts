/**
 * Operations that do not succeed with something of one's own, and why: there the denial alone is tried. Whatever is not
 * listed must succeed, or the suite would call a route safe that refuses everybody.
 */
const table: readonly (readonly [RegExp, readonly string[], string])[] = [
  [
    /^(POST \/auth\/(login|refrescar)|credentials\.verify|scope\.renew|sessions\.(log_in|refresh))$/,
    ['401', 'UNAUTHORIZED'],
    'it takes a secret',
  ],
  [
    /^(POST \/auth\/(establecer-clave|mfa\/verify)|passwords\.set_by_token|factors\.verify)$/,
    ['422', 'VALIDATION_ERROR'],
    'it takes a secret',
  ],
  [/^registrations\.seed$/, ['NOT_FOUND'], 'it takes a registration that was confirmed by mail'],
  [/^scope\.location_roots$/, ['NOT_FOUND'], 'it takes an area in focus'],
  [/\/usuarios\/:codigo\/grupos/, ['410'], 'a user has one group'],
];

/** What an operation answers to something of one's own, where that is no success. */
export const refusalOf = (operation: string): readonly string[] =>
  table.find(([pattern]) => pattern.test(operation))?.[1] ?? [];

/** Operations that tell of the group that the installation was made with, to the program that made it. */
export const tellsOfFirstGroup = (operation: string): boolean => operation === 'groups.provision_first';

/**
 * An address belongs to one person of the whole installation, so that people sign in by it alone. An administrator who
 * gives one that is taken is told so, whichever group its owner is in, and nothing else: ADR 9.
 */
export const tellsThatAnAddressIsTaken = (operation: string, slot: string): boolean =>
  /^(POST \/usuarios|users\.create|users\.make_system)$/.test(operation) && /\.(codigo|email)$/.test(slot);

/**
 * Whoever names an address may have a letter sent to its owner; what comes of it is the owner's alone. The program that
 * made the installation asks for its first group.
 */
export const mayChangeOthers = (operation: string): boolean =>
  /^(POST \/auth\/(recuperar-clave|reenviar-invitacion)|passwords\.recover|invitations\.resend|groups\.provision_first)$/.test(
    operation,
  );
