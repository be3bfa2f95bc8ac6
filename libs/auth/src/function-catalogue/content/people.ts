import type { FunctionContent } from './shape';

/** Screens about people, their credentials and their activity. */
export const peopleScreens: readonly FunctionContent[] = [
  {
    code: 'API_KEYS',
    name: 'Claves de API',
    alias: 'Claves',
    description: 'Crea y revoca las claves con las que los programas consultan Acervo.',
    summary:
      'Cada clave actúa en nombre de una persona, con uno de sus roles, y solo abre la API pública. Puede fijarse a una entidad y a un área para que no sirva en ningún otro lugar.',
    url: '/claves-api',
    sections: [
      {
        title: 'Claves activas',
        text: 'Prefijo, nombre, rol, alcance y día del último uso de cada clave sin revocar.',
      },
      { title: 'Nueva clave', text: 'Nombre, persona, rol solicitado y ámbito fijo opcional.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Claves activas',
        text: 'Un administrador encuentra todas las claves del grupo y los demás solo las suyas.',
      },
      {
        class: 'INTERACCION',
        section: 'Nueva clave',
        text: 'El valor de la clave se muestra una única vez, con un botón para copiarlo.',
      },
      {
        class: 'INTERACCION',
        section: 'Claves activas',
        text: 'Revocar una clave la deja inservible desde la siguiente petición.',
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Claves activas',
        text: 'El día del último uso se anota poco después de que un programa presenta la clave.',
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Claves activas',
        text: 'Una clave deja de valer cuando su dueño o quien la creó pierde el derecho que necesita.',
      },
      { class: 'DETENCION', section: 'Nueva clave', text: 'Cerrar el aviso con la clave impide volver a verla.' },
      {
        class: 'RECUPERACION',
        section: 'Nueva clave',
        text: 'Una clave perdida no se recupera: se revoca y se crea otra.',
      },
    ],
  },
  {
    code: 'SECURITY-DASHBOARD',
    name: 'Panel de seguridad',
    alias: 'Seguridad',
    description: 'Resume quién puede hacer qué y los hechos que merecen atención.',
    summary:
      'Cruza personas, roles y funciones para detectar permisos excesivos, y reúne las operaciones denegadas o fallidas del grupo.',
    url: '/panel-seguridad',
    sections: [
      { title: 'Accesos', text: 'Matriz de roles y pantallas, con las personas que los tienen.' },
      { title: 'Denegaciones', text: 'Operaciones que la auditoría anota como denegadas o fallidas.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Denegaciones',
        text: 'Las operaciones denegadas más recientes van primero.',
        operations: ['audit.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Accesos',
        text: 'Seleccionar una casilla de la matriz dice por qué rol se llega a esa pantalla.',
        operations: ['roles.list'],
      },
      {
        class: 'NAVEGACION',
        section: 'Accesos',
        text: 'Desde el nombre de una persona se pasa a su ficha de usuario.',
      },
    ],
  },
  {
    code: 'AUDIT_USERS',
    name: 'Auditoría',
    alias: 'Registro de actividad',
    description: 'Enseña qué hizo cada persona o programa, cuándo y con qué resultado.',
    summary:
      'Consulta el registro encadenado de operaciones del grupo. Cada entrada identifica al autor, la operación y su resultado, y cualquier alteración posterior rompe la cadena y se descubre.',
    url: '/auditoria',
    sections: [
      {
        title: 'Registro',
        text: 'Entradas en orden de llegada, filtrables por persona, operación, resultado y fecha.',
      },
      {
        title: 'Integridad',
        text: 'Las entradas forman una cadena. Quien opera la instalación la comprueba con la orden verify-audit.',
      },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Registro',
        text: 'Se parte de las operaciones del día en curso.',
        operations: ['audit.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Registro',
        text: 'Desplegar una entrada muestra a quién y a qué afecta y, si no tuvo éxito, el código del error.',
        operations: ['audit.list'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Registro',
        text: 'También quedan anotadas las operaciones denegadas y las fallidas.',
        operations: ['audit.list'],
      },
    ],
  },
  {
    code: 'SESSION',
    name: 'Mi sesión',
    alias: 'Contexto',
    description: 'Indica quién es el usuario y dónde está trabajando, y le deja cambiar de entidad o de área.',
    summary:
      'Expone el grupo, la entidad, el área y el rol con los que se resuelven las peticiones. Cambiar de contexto altera lo que se ve, nunca lo que se tiene permitido.',
    url: '/sesion',
    sections: [
      { title: 'Contexto activo', text: 'Grupo, entidad, área efectiva y aplicación de la sesión.' },
      { title: 'Segundo factor', text: 'Aplicaciones de códigos y llaves de acceso registradas.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Contexto activo',
        text: 'La sesión comienza en la entidad predeterminada de la persona.',
      },
      {
        class: 'INTERACCION',
        section: 'Contexto activo',
        text: 'Elegir otra entidad suelta el foco de área que hubiera.',
        operations: ['session.set_active_entity'],
      },
      {
        class: 'INTERACCION',
        section: 'Segundo factor',
        text: 'Añadir un factor pide un primer código antes de darlo por válido.',
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Contexto activo',
        text: 'El acceso se renueva en silencio mientras la persona sigue trabajando.',
      },
      {
        class: 'DETENCION',
        section: 'Contexto activo',
        text: 'Cerrar sesión invalida de inmediato todos sus testigos.',
      },
      {
        class: 'RECUPERACION',
        section: 'Contexto activo',
        text: 'Si el área enfocada deja de estar permitida, se avisa y se ofrece soltarla.',
      },
    ],
  },
];
