import type { FunctionContent } from './shape';

/** Screens where people ask questions, gather documents and follow their work. */
export const retrievalScreens: readonly FunctionContent[] = [
  {
    code: 'CHAT-USER',
    name: 'Conversación',
    alias: 'Chat',
    description: 'Responde preguntas con citas de los documentos que el usuario tiene permitidos.',
    summary:
      'Mantiene conversaciones en las que cada afirmación se apoya en un fragmento localizable. Si los documentos no contienen la respuesta, lo dice en lugar de inventarla.',
    url: '/chat',
    sections: [
      {
        title: 'Pregunta',
        text: 'Texto libre, en español o en inglés, con la opción de ceñirse a una carpeta.',
      },
      { title: 'Respuesta', text: 'Texto con citas numeradas; cada cita lleva documento, página y fragmento.' },
      { title: 'Historial', text: 'Conversaciones anteriores del propio usuario.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Historial',
        text: 'Entrar en el chat abre una conversación en blanco y deja las anteriores a un lado.',
      },
      {
        class: 'INTERACCION',
        section: 'Pregunta',
        text: 'Enviar una pregunta recupera fragmentos bajo los permisos vigentes en ese mismo instante.',
      },
      {
        class: 'INTERACCION',
        section: 'Respuesta',
        text: 'Pulsar una cita despliega el fragmento literal del que procede.',
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Respuesta',
        text: 'La contestación se va escribiendo a medida que se genera.',
      },
      {
        class: 'DETENCION',
        section: 'Respuesta',
        text: 'El botón Detener corta la generación y conserva lo escrito hasta entonces.',
      },
      {
        class: 'RECUPERACION',
        section: 'Historial',
        text: 'Si se pierde la conexión, la conversación conserva lo escrito y sigue desde el último mensaje guardado.',
      },
    ],
  },
  {
    code: 'CHAT-FINAL-USER',
    name: 'Asistente',
    alias: 'Consulta guiada',
    description: 'Versión sencilla del chat para quien solo necesita preguntar.',
    summary:
      'Presenta una única caja de pregunta y respuestas con sus fuentes. No muestra filtros ni opciones avanzadas, y el alcance lo fija el administrador mediante el rol.',
    url: '/asistente',
    sections: [
      { title: 'Consulta', text: 'Una pregunta cada vez, sin más ajustes que su texto.' },
      { title: 'Fuentes', text: 'Documentos en los que se apoya la respuesta, en el orden en que esta los cita.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Consulta',
        text: 'La pantalla recibe al usuario con la caja de pregunta vacía.',
      },
      {
        class: 'INTERACCION',
        section: 'Consulta',
        text: 'Una pregunta que se refiere a la anterior se entiende dentro de la misma consulta.',
      },
      { class: 'INTERACCION', section: 'Fuentes', text: 'Abrir una fuente indica en qué carpeta está el original.' },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Consulta',
        text: 'Cada pregunta se guarda con su respuesta, y solo quien pregunta las vuelve a leer.',
      },
      { class: 'DETENCION', section: 'Consulta', text: 'La tecla Escape abandona la pregunta en curso.' },
      {
        class: 'RECUPERACION',
        section: 'Consulta',
        text: 'Una pregunta interrumpida queda en la caja, lista para repetirse.',
      },
    ],
  },
  {
    code: 'WORKSPACES',
    name: 'Espacios de trabajo',
    alias: 'Espacios',
    description: 'Agrupa documentos por criterios y opera con esos conjuntos.',
    summary:
      'Un espacio es un conjunto de documentos con nombre. Se define por criterios o a partir de otros dos espacios, que se unen, se cruzan y se restan sin salir de lo que cada persona puede ver.',
    url: '/espacios-trabajo',
    sections: [
      { title: 'Mis espacios', text: 'Espacios propios y compartidos, con su número de documentos visibles.' },
      {
        title: 'Criterio',
        text: 'Filtros y, en un área propia, una consulta que deciden qué documentos pertenecen al espacio.',
      },
      {
        title: 'Composición',
        text: 'Unión, intersección, diferencia y diferencia simétrica de dos espacios en uno nuevo.',
      },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Mis espacios',
        text: 'La entrada lista los espacios, el más reciente primero.',
        operations: ['spaces.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Criterio',
        text: 'Cambiar el criterio reúne de nuevo los documentos del espacio.',
        operations: ['spaces.set_criteria'],
      },
      {
        class: 'INTERACCION',
        section: 'Composición',
        text: 'Componer dos espacios crea un tercero y deja intactos los de partida.',
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Criterio',
        text: 'Un espacio con muchos documentos se reúne aparte; hasta entonces se lee el conjunto anterior.',
        operations: ['spaces.list_documents'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Mis espacios',
        text: 'El resumen de un espacio se hace aparte y solo lo ve quien ve todos los documentos que cita.',
      },
      {
        class: 'DETENCION',
        section: 'Mis espacios',
        text: 'Borrar un espacio informa antes de sus documentos y de los espacios compuestos a partir de él.',
        operations: ['spaces.delete'],
      },
      {
        class: 'RECUPERACION',
        section: 'Mis espacios',
        text: 'Un espacio desactualizado lo indica, y al refrescarlo se pone al día.',
        operations: ['spaces.refresh'],
      },
    ],
  },
  {
    code: 'PROFILE_PROCESS',
    name: 'Mis procesos',
    alias: 'Tareas propias',
    description: 'Reúne los procesos que el usuario ha iniciado o tiene asignados.',
    summary:
      'Sirve para seguir el trabajo documental de cada persona: qué procesos le corresponden, en qué tarea están y cuándo vencen. Quien administra ve además los de todo el grupo.',
    url: '/mis-procesos',
    sections: [
      { title: 'Tablero', text: 'Procesos por estado, con los que vencen y los que ya vencieron.' },
      {
        title: 'Detalle',
        text: 'Tareas de un proceso, su responsable, su fecha, sus comentarios y el documento del que trata.',
      },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Tablero',
        text: 'El tablero cuenta los procesos propios y los ordena por prioridad y fecha.',
        operations: ['processes.profile_dashboard', 'processes.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Tablero',
        text: 'Reordenar procesos de la misma prioridad intercambia sus puestos y deja los demás donde estaban.',
        operations: ['processes.reorder'],
      },
      {
        class: 'INTERACCION',
        section: 'Detalle',
        text: 'Dar una tarea por hecha pasa el proceso a la persona y a la fecha de la siguiente; la última lo termina.',
        operations: ['processes.get', 'processes.update'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Tablero',
        text: 'Un documento recién clasificado, el calendario o un aviso del programa inician procesos sin que nadie intervenga.',
      },
      {
        class: 'DETENCION',
        section: 'Detalle',
        text: 'Cancelar un proceso lo aparta de los abiertos y conserva sus tareas y sus comentarios.',
        operations: ['processes.update'],
      },
      {
        class: 'RECUPERACION',
        section: 'Detalle',
        text: 'Un proceso terminado o cancelado se abre de nuevo con las tareas tal como quedaron.',
        operations: ['processes.update'],
      },
    ],
  },
];
