import type { FunctionContent } from './shape';

/** Screens about the organisation itself and how it works. */
export const organisationScreens: readonly FunctionContent[] = [
  {
    code: 'MANAGE_ENTITIES',
    name: 'Entidades y áreas',
    alias: 'Organización',
    description: 'Define las entidades del grupo, su árbol de áreas y las carpetas que cada área alcanza.',
    summary:
      'Traduce el organigrama a permisos: las entidades dividen el grupo, las áreas dividen la entidad y cada área se enlaza con las carpetas que le pertenecen.',
    url: '/entidades',
    sections: [
      { title: 'Entidades', text: 'Altas, cambios de nombre y bajas, con la descripción de cada entidad.' },
      { title: 'Áreas', text: 'Árbol de áreas de la entidad elegida.' },
      { title: 'Carpetas enlazadas', text: 'Ubicaciones que un área y sus descendientes pueden ver.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Entidades',
        text: 'Se selecciona de entrada la entidad en la que trabaja el administrador.',
        operations: ['entities.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Áreas',
        text: 'Mover un área arrastra consigo toda su rama.',
        operations: ['areas.update'],
      },
      {
        class: 'INTERACCION',
        section: 'Carpetas enlazadas',
        text: 'Enlazar una carpeta da acceso a sus documentos sin volver a procesarlos.',
        operations: ['areas.add_location'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Carpetas enlazadas',
        text: 'Las subcarpetas que nazcan bajo una carpeta enlazada quedan incluidas por sí mismas.',
      },
      {
        class: 'DETENCION',
        section: 'Entidades',
        text: 'No se puede borrar una entidad que aún tiene personas, áreas o documentos; se dice cuántos.',
        operations: ['entities.get_dependencies', 'entities.delete'],
      },
      {
        class: 'RECUPERACION',
        section: 'Áreas',
        text: 'Desenlazar por equivocación se remedia enlazando de nuevo: nada se había borrado.',
        operations: ['areas.remove_location', 'areas.add_location'],
      },
    ],
  },
  {
    code: 'MANAGE_GROUP_PARAMS',
    name: 'Parámetros del grupo',
    alias: 'Parámetros',
    description: 'Guarda los valores que el grupo da a los programas que usan Acervo.',
    summary:
      'Cada parámetro tiene tipo, categoría y valor por defecto. Los privados se pueden sustituir, pero su contenido no vuelve a mostrarse.',
    url: '/parametros',
    sections: [
      { title: 'Categorías', text: 'Parámetros ordenados por el asunto que regulan.' },
      { title: 'Valores', text: 'Valor vigente, valor por defecto y tipo admitido.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Categorías',
        text: 'Al abrir la pantalla se despliega la primera categoría y las otras quedan plegadas.',
        operations: ['parameter_categories.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Valores',
        text: 'Un valor que no corresponde a su tipo se rechaza junto al campo, sin guardar nada.',
        operations: ['parameters.update_group'],
      },
      {
        class: 'INTERACCION',
        section: 'Valores',
        text: 'Restablecer devuelve el parámetro a su valor por defecto.',
        operations: ['parameters.update_group'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Valores',
        text: 'Un programa lee el valor nuevo la próxima vez que consulta los parámetros.',
      },
      { class: 'DETENCION', section: 'Valores', text: 'Descartar elimina los cambios todavía no guardados.' },
      {
        class: 'RECUPERACION',
        section: 'Valores',
        text: 'Un valor sobrescrito no se conserva: la auditoría dice quién lo cambió y cuándo.',
      },
    ],
  },
  {
    code: 'MANAGE_GROUP_PROCESSES',
    name: 'Procesos del grupo',
    alias: 'Catálogo de procesos',
    description: 'Define los procesos del grupo y qué los inicia.',
    summary:
      'Describe lo que la organización hace una y otra vez, como renovar un contrato, y si lo inicia una persona, un documento de cierto tipo o el calendario.',
    url: '/procesos-grupo',
    sections: [
      { title: 'Catálogo', text: 'Procesos definidos, con su código, su orden y cuántos siguen abiertos.' },
      { title: 'Definición', text: 'Prioridad, plazo, responsable y desencadenante de un proceso.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Catálogo',
        text: 'La lista respeta el orden que el grupo le ha dado.',
        operations: ['group_processes.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Catálogo',
        text: 'Iniciar un proceso a mano crea uno con las tareas que la definición tiene en ese momento.',
      },
      {
        class: 'INTERACCION',
        section: 'Definición',
        text: 'Guardar una definición crea otra versión, que vale para los procesos que se inicien a partir de entonces.',
        operations: ['group_processes.create', 'group_processes.update'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Definición',
        text: 'Los procesos ya iniciados prosiguen con la versión con la que empezaron.',
      },
      {
        class: 'DETENCION',
        section: 'Catálogo',
        text: 'Borrar una definición cuenta antes sus tareas y los procesos que se quedan sin ella.',
        operations: ['group_processes.delete'],
      },
    ],
  },
  {
    code: 'MANAGE_GROUP_TASKS',
    name: 'Tareas del grupo',
    alias: 'Catálogo de tareas',
    description: 'Define las tareas de cada proceso del grupo y su orden.',
    summary:
      'Una tarea fija qué hay que hacer, qué persona se ocupa y en cuántos días. Las tareas de una definición se copian en cada proceso que se inicia de ella.',
    url: '/tareas-grupo',
    sections: [
      { title: 'Tareas', text: 'Tareas de una definición en el orden en que se hacen.' },
      { title: 'Ficha de tarea', text: 'Instrucciones, rol, persona y plazo de una tarea.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Tareas',
        text: 'Al elegir una definición aparecen sus tareas por orden.',
        operations: ['group_tasks.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Tareas',
        text: 'Reordenar tareas cambia los procesos que se inicien después y ninguno de los anteriores.',
        operations: ['group_tasks.reorder'],
      },
      {
        class: 'INTERACCION',
        section: 'Ficha de tarea',
        text: 'Una persona o un rol que el grupo no tiene se rechaza antes de guardar la ficha.',
        operations: ['group_tasks.create', 'group_tasks.update'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Ficha de tarea',
        text: 'El plazo de una tarea corre desde que le llega el turno.',
      },
      {
        class: 'DETENCION',
        section: 'Tareas',
        text: 'Borrar una tarea cuenta antes los procesos que aún la tienen pendiente, que la conservan.',
        operations: ['group_tasks.delete'],
      },
    ],
  },
  {
    code: 'SUBSCRIPTION_CANCELLATIONS',
    isPlanned: true,
    name: 'Bajas de suscripción',
    alias: 'Bajas',
    description: 'Tramita la cancelación de la suscripción del grupo y explica sus consecuencias.',
    summary:
      'Permite pedir la baja, conocer la fecha en que será efectiva y qué ocurrirá con los documentos, las claves y las personas cuando llegue.',
    url: '/bajas-suscripcion',
    sections: [
      { title: 'Solicitud', text: 'Motivo, fecha de efecto y resumen de lo que se conservará y lo que no.' },
      { title: 'Estado', text: 'Solicitudes cursadas y plazo restante de cada una.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Estado',
        text: 'Si hay una baja en trámite, su plazo es lo primero que se lee.',
      },
      { class: 'INTERACCION', section: 'Solicitud', text: 'Pedir la baja requiere escribir el nombre del grupo.' },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Estado',
        text: 'Se recuerda la fecha de efecto por correo quince días y un día antes.',
      },
      { class: 'DETENCION', section: 'Estado', text: 'La solicitud puede retirarse hasta la víspera de su efecto.' },
      {
        class: 'RECUPERACION',
        section: 'Estado',
        text: 'Durante treinta días tras la baja, un administrador puede reactivar el grupo con sus documentos.',
      },
    ],
  },
];
