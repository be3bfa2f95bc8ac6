/**
 * Operations that fail for the caller's own fixture, with the reason: the suite tries only their denial. Every other
 * operation must succeed, or a route that always refuses would count as safe.
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
  [/^conversations\.repeat$/, ['CONFLICT'], 'it takes the key of a request that was answered'],
  [/^registrations\.seed$/, ['NOT_FOUND'], 'it takes a registration that was confirmed by mail'],
  [/^scope\.location_roots$/, ['NOT_FOUND'], 'it takes an area in focus'],
  [/^GET \/version\/(cloud|cliente)\/latest$/, ['404'], 'nothing is published'],
  [/^POST \/version\/cliente\/publicar$/, ['403'], 'it takes the token of releases'],
  [/^(GET|DELETE) \/mcp$/, ['405'], 'no stream or session of a client is kept'],
  [/^POST \/mcp$/, ['415'], 'it takes a message of the protocol, as the tools send it'],
  [/\/usuarios\/:codigo\/grupos/, ['410'], 'a user has one group'],
];

/** Operations that take exactly one of two optional identifiers: without either they have no meaning. */
const WANTS_ONE = /^(POST \/v1\/skills\/:skill_code\/run|POST \/habilidades\/:codigo\/ejecutar|skills\.run)$/;

/**
 * Status codes of an operation on the caller's own fixture that are no success.
 * @param isBare whether the request has its required fields alone
 */
export const refusalOf = (operation: string, isBare: boolean): readonly string[] =>
  isBare && WANTS_ONE.test(operation)
    ? ['400', 'INVALID_REQUEST']
    : (table.find(([pattern]) => pattern.test(operation))?.[1] ?? []);

/** Operations that return all groups, or the first one, to the program that runs the installation. */
export const namesFirstGroup = (operation: string): boolean =>
  ['groups.provision_first', 'exports.list_groups'].includes(operation);

/**
 * An address belongs to the person who confirms it, so that it suffices to sign in. An administrator who enters a
 * confirmed address learns that it is taken, in whichever group, and nothing else: ADR 9.
 */
export const revealsTakenAddress = (operation: string, slot: string): boolean =>
  /^(POST \/usuarios|users\.create|users\.make_system)$/.test(operation) && /\.(codigo|email)$/.test(slot);

/**
 * A caller who enters an address may cause a mail to its owner; only the owner sees the result. The program that
 * created the installation requests its first group.
 */
export const mayChangeOthers = (operation: string): boolean =>
  /^(POST \/auth\/(recuperar-clave|reenviar-invitacion)|passwords\.recover|invitations\.resend|groups\.provision_first)$/.test(
    operation,
  );
