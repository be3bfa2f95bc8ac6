import { Conflict, CrossesCalls, type ErrorDetails, Forbidden, Gone } from '@acervo/contracts';

/** Reasons of refusals about people, roles or functions: for logs in English, for users in Spanish. */
const reasons = {
  USER_EXISTS: [
    'A user has this address already; choose another one.',
    'Ya existe un usuario con este correo; elija otro.',
  ],
  USER_BEING_DELETED: [
    'A user with this address is being deleted; wait a moment and try again.',
    'Se está eliminando un usuario con este correo; espere un momento e inténtelo de nuevo.',
  ],
  ADDRESS_CONFIRMED: [
    'Another account has confirmed this address; sign in to that one, or ask a SYSTEM user to release the address.',
    'Otra cuenta ya confirmó este correo; inicie sesión con ella o pida a un usuario de sistema que lo libere.',
  ],
  USER_PROTECTED: [
    'The user holds a protected role and is not deleted.',
    'El usuario tiene un rol protegido (SEG_ADMIN_GRUPO o SISTEMA) y no se puede eliminar.',
  ],
  ROLE_PROTECTED: [
    'A protected role is not taken from a user.',
    'Un rol protegido (SEG_ADMIN_GRUPO o SISTEMA) no se puede retirar a un usuario.',
  ],
  ROLE_BY_COMMAND: [
    'The SYSTEM role is given by a command, never by a route.',
    'El rol SISTEMA se concede con una orden del servidor, no desde la aplicación.',
  ],
  ROLE_HELD_ALREADY: ['The user has this role already.', 'El usuario ya tiene este rol.'],
  ROLE_STILL_HELD: [
    'Users hold the role; take it from them first.',
    'Hay usuarios con este rol; retíreselo antes de eliminarlo.',
  ],
  ROLE_BUILT_IN: [
    'The role is part of the product; its name and description can be changed, nothing else.',
    'El rol forma parte del producto: solo se pueden cambiar su nombre y su descripción.',
  ],
  ROLE_EXISTS: ['A role has this code already; choose another one.', 'Ya existe un rol con este código; elija otro.'],
  ROLES_MIXED: [
    'Global roles and those of the group are ordered separately.',
    'Los roles globales y los del grupo se ordenan por separado.',
  ],
  ENTITY_HELD_ALREADY: [
    'The user has this entity already; remove it before assigning it otherwise.',
    'El usuario ya tiene esta entidad; retírela antes de asignarla de otra forma.',
  ],
  FUNCTION_HELD_ALREADY: ['The role has this function already.', 'El rol ya tiene esta función.'],
  FUNCTION_EXISTS: [
    'A function has this code or alias already; choose another one.',
    'Ya existe una función con este código; elija otro.',
  ],
  FUNCTION_BUILT_IN: [
    'The function is a screen of the product and is not deleted.',
    'La función es una pantalla del producto y no se puede eliminar.',
  ],
  VIEW_MISSING: [
    'The function has no view yet; generate it first.',
    'La función todavía no tiene vista; genérela antes de sincronizarla.',
  ],
  VIEW_REFUSED: [
    'The stored view reads something that is not published; generate it again.',
    'La vista guardada lee algo que no está publicado; vuelva a generarla.',
  ],
  VIEW_CHANGED: [
    'The view was generated again meanwhile; synchronise it once more.',
    'La vista se generó de nuevo entretanto; sincronícela otra vez.',
  ],
  APPLICATION_HELD_ALREADY: ['It is part of this application already.', 'Ya está asociado a esta aplicación.'],
  LAST_ADMINISTRATOR: [
    'The group would be left without an active administrator.',
    'El grupo se quedaría sin ningún administrador activo.',
  ],
  SELF_DISABLED: ['Users cannot disable their own account.', 'No puede desactivar su propia cuenta.'],
  STILL_INVITED: [
    'The account becomes active when its owner sets a password.',
    'La cuenta se activa cuando la persona establece su contraseña.',
  ],
  TOO_MANY_TO_LIST: [
    'There are more users than one list holds; narrow it with q, or read it by pages.',
    'Hay más usuarios de los que caben en una lista; acótela con q o consúltela por páginas.',
  ],
  TOO_MANY_KEYS: [
    'There are more active keys than one list holds; revoke those that are not used.',
    'Hay más claves activas de las que caben en una lista; revoque las que no se usan.',
  ],
  GROUP_IS_FULL: [
    'The group has as many of these as one group may have; delete some first.',
    'El grupo ya tiene todos los elementos de este tipo que admite; elimine alguno antes de crear otro.',
  ],
  NO_ROLE_THERE: ['The group has no role to work with.', 'El grupo no tiene ningún rol con el que trabajar.'],
} as const;
export type Reason = keyof typeof reasons;

/** A refusal with its reason: a code in the details, and a sentence for users. */
@CrossesCalls
export class PeopleConflict extends Conflict {
  constructor(reason: Reason, details: ErrorDetails = {}) {
    super(reasons[reason][0], { reason, ...details });
  }

  override get spoken(): string | undefined {
    const { reason } = this.details;
    return typeof reason === 'string' && reason in reasons ? reasons[reason as Reason][1] : undefined;
  }
}

/** The target is above the level of the caller. */
@CrossesCalls
export class AboveOwnLevel extends Forbidden {
  constructor() {
    super('This action exceeds the level of the caller.');
  }

  override get spoken(): string {
    return 'Esta acción supera el nivel de acceso de quien la pide.';
  }
}

/** Only SYSTEM users change what belongs to all groups. */
@CrossesCalls
export class SystemOnly extends Forbidden {
  constructor() {
    super('What belongs to all groups is changed by SYSTEM users only.');
  }

  override get spoken(): string {
    return 'Lo que pertenece a todos los grupos solo lo cambia un usuario de sistema.';
  }
}

/** No route gives a user a group or takes it away. */
@CrossesCalls
export class OneGroupOnly extends Gone {
  constructor() {
    super('A user belongs to exactly one group; make an account in the other group instead.');
  }

  override get spoken(): string {
    return 'Un usuario pertenece a un solo grupo; esta operación no está disponible.';
  }
}

/** All rows of a list, read with one row more than it holds. @throws PeopleConflict instead of leaving rows out */
export const wholeList = <R>(rows: readonly R[], most: number, reason: Reason = 'TOO_MANY_TO_LIST'): readonly R[] => {
  if (rows.length > most) throw new PeopleConflict(reason, { most });
  return rows;
};

/** Reasons of refusals about entities and areas. */
const conflicts = {
  CODE_TAKEN: 'The code is taken in this group; choose another one, or leave it out.',
  HAS_DEPENDENTS: 'Something still depends on this; the details count it. Remove or move it first.',
  LAST_ENTITY: 'A group keeps at least one entity.',
  PARENT_BELOW: 'An area is not moved below itself or below an area of its own branch.',
  TOO_DEEP: 'The tree of areas would become too deep.',
} as const;
export type ConflictReason = keyof typeof conflicts;

/** A change of the organisation that the current state refuses; the details contain a reason code and counts. */
@CrossesCalls
export class OrganisationConflict extends Conflict {
  constructor(reason: ConflictReason, details: ErrorDetails = {}) {
    super(conflicts[reason], { reason, ...details });
  }
}

/** The installation has closed registration by its setting. */
@CrossesCalls
export class RegistrationClosed extends Forbidden {
  constructor() {
    super('Registration is closed; an administrator creates users.');
  }

  override get spoken(): string {
    return 'El registro está cerrado en esta instalación; pida una cuenta a su administrador.';
  }
}
