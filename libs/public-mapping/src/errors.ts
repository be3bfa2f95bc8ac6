/** The public error codes, each with its HTTP status and its one fixed sentence. */
export const publicErrors = {
  INVALID_REQUEST: { status: 400, message: 'The request is not valid.' },
  INVALID_CONTEXT: {
    status: 400,
    message:
      'An active entity is required and none could be resolved: choose one by POST /v1/session/active-entity or POST /v1/session/active-area.',
  },
  UNAUTHORIZED: { status: 401, message: 'Valid credentials are required.' },
  QUOTA_EXCEEDED: { status: 402, message: 'The plan quota for this operation is used up.' },
  FORBIDDEN: { status: 403, message: 'The credential does not reach this resource.' },
  NOT_FOUND: { status: 404, message: 'The requested resource was not found.' },
  CONFLICT: { status: 409, message: 'The request conflicts with the current state of the resource.' },
  CONTEXT_CONFLICT: { status: 409, message: 'The saved area scope no longer matches the current permissions.' },
  VALIDATION_ERROR: { status: 422, message: 'The request does not match the published schema.' },
  RATE_LIMITED: { status: 429, message: 'The rate limit was exceeded; retry later.' },
  INTERNAL_ERROR: { status: 500, message: 'The request could not be completed because of an internal error.' },
  PUBLIC_CODE_MAPPING_MISSING: { status: 500, message: 'A value of the answer has no public name.' },
  PUBLIC_FIELD_MAPPING_MISSING: { status: 500, message: 'A field of the answer has no public name.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type PublicErrorCode = keyof typeof publicErrors;

/** The same sentences for Spanish-speaking users of the internal routes. */
export const internalMessages: Record<PublicErrorCode, string> = {
  INVALID_REQUEST: 'La solicitud no es válida.',
  INVALID_CONTEXT:
    'Se necesita una entidad activa y no se pudo resolver ninguna: elija una con POST /auth/cambiar-entidad.',
  UNAUTHORIZED: 'Se necesitan credenciales válidas.',
  QUOTA_EXCEEDED: 'La cuota del plan para esta operación está agotada.',
  FORBIDDEN: 'La credencial no alcanza este recurso.',
  NOT_FOUND: 'El recurso solicitado no se encontró.',
  CONFLICT: 'La solicitud entra en conflicto con el estado actual del recurso.',
  CONTEXT_CONFLICT: 'El área guardada ya no coincide con los permisos actuales.',
  VALIDATION_ERROR: 'La solicitud no cumple el esquema publicado.',
  RATE_LIMITED: 'Se superó el límite de solicitudes; inténtelo más tarde.',
  INTERNAL_ERROR: 'La solicitud no se pudo completar por un error interno.',
  PUBLIC_CODE_MAPPING_MISSING: 'Un valor de la respuesta no tiene nombre público.',
  PUBLIC_FIELD_MAPPING_MISSING: 'Un campo de la respuesta no tiene nombre público.',
};

/** Names of details on the internal routes, if they differ from the public contract. */
export const internalDetails: Readonly<Record<string, string>> = {
  reason: 'motivo',
  users: 'usuarios',
  missing_fields: 'campos_ausentes',
  invalid_fields: 'campos_no_validos',
  unknown_field_count: 'campos_desconocidos',
  retry_after_seconds: 'segundos_de_espera',
};

/** The body of every `/v1` answer except success. */
export interface PublicErrorBody {
  readonly code: PublicErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly request_id: string;
}
