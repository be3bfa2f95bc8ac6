import type { FunctionContent } from './shape';

/** Screens where users see, process and upload documents. */
export const documentScreens: readonly FunctionContent[] = [
  {
    code: 'DOCUMENTS',
    name: 'Documentos',
    alias: 'Biblioteca',
    description:
      'Consulta los documentos que el usuario puede ver, con su resumen, sus fragmentos y su lugar de origen.',
    summary:
      'Reúne los documentos de las entidades y áreas del usuario y permite localizarlos, leer sus fragmentos citables y llegar al original. Nunca entrega el texto completo de un documento: quien lo necesita abre el fichero en su carpeta.',
    url: '/documentos',
    sections: [
      {
        title: 'Búsqueda',
        text: 'Combina palabras y significado; el filtro de carpeta acota lo que se busca.',
      },
      { title: 'Ficha', text: 'Resumen, idioma, páginas, fragmentos y ruta de un documento concreto.' },
      {
        title: 'Relacionados',
        text: 'Otros documentos visibles que comparten carpeta con el elegido.',
      },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Búsqueda',
        text: 'Al entrar se cargan los veinte primeros documentos de la entidad activa, por su ruta.',
        operations: ['documents.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Búsqueda',
        text: 'Al escribir una consulta y pulsar Intro se muestran los mejores documentos con el fragmento que responde y su página.',
        operations: ['documents.get_chunks'],
      },
      {
        class: 'INTERACCION',
        section: 'Ficha',
        text: 'Eliminar un documento enseña primero qué se perderá y solo actúa tras la confirmación.',
        operations: ['documents.delete'],
      },
      {
        class: 'NAVEGACION',
        section: 'Relacionados',
        text: 'Elegir un documento relacionado abre su ficha y conserva la búsqueda de partida.',
        operations: ['documents.get'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Búsqueda',
        text: 'Los documentos recién indexados aparecen en la siguiente consulta sin recargar la biblioteca.',
      },
      {
        class: 'DETENCION',
        section: 'Búsqueda',
        text: 'Una consulta nueva anula la anterior si todavía no había contestado.',
      },
      {
        class: 'RECUPERACION',
        section: 'Ficha',
        text: 'Un documento eliminado por error se recupera revirtiéndolo a un estado anterior mientras se conserva su huella.',
        operations: ['documents.revert'],
      },
    ],
  },
  {
    code: 'DOCS_DASHBOARD',
    name: 'Panel de documentos',
    alias: 'Panel documental',
    description: 'Muestra cuántos documentos hay en cada estado y en qué punto está la carga.',
    summary:
      'Ofrece de un vistazo la salud del fondo documental: el número de documentos en cada estado y los motivos por los que algunos ficheros no se han podido leer.',
    url: '/panel-documentos',
    sections: [
      {
        title: 'Estados',
        text: 'Recuento de documentos detectados, extraídos, vectorizados, con error y no soportados.',
      },
      { title: 'Motivos', text: 'Agrupa los rechazos por causa para saber qué conviene convertir o reparar.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Estados',
        text: 'Al abrir el panel se calculan los recuentos de la entidad activa.',
        operations: ['documents.count_by_status'],
      },
      {
        class: 'INTERACCION',
        section: 'Estados',
        text: 'Pulsar un estado lleva a la lista de los documentos que se encuentran en él.',
        operations: ['documents.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Motivos',
        text: 'Desplegar un motivo enumera los ficheros afectados con su ruta.',
        operations: ['documents.list'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Estados',
        text: 'Las cifras se actualizan cada pocos segundos mientras quede trabajo en la cola.',
        operations: ['queue.pipeline_summary'],
      },
      {
        class: 'DETENCION',
        section: 'Estados',
        text: 'Salir del panel detiene sus actualizaciones y no afecta a la carga.',
      },
      {
        class: 'RECUPERACION',
        section: 'Motivos',
        text: 'Cuando se corrige un fichero rechazado, el siguiente escaneo lo retira de su motivo.',
      },
    ],
  },
  {
    code: 'PROCESS_DOCUMENTS',
    name: 'Procesar documentos',
    alias: 'Cola de documentos',
    description: 'Gobierna el avance de cada documento por las etapas de la carga.',
    summary:
      'Permite elegir documentos, lanzar lotes, cambiar su orden de ingesta, devolverlos a una etapa anterior o darlos por desaparecidos. Las órdenes que piden confirmación indican antes a cuántos documentos alcanzan.',
    url: '/procesar-documentos',
    sections: [
      { title: 'Selección', text: 'Lista filtrable por estado y carpeta para formar un lote.' },
      { title: 'Lotes', text: 'Progreso de cada lote lanzado, con los elementos pendientes, en curso y terminados.' },
      { title: 'Orden de ingesta', text: 'Prioridad con la que se atienden los documentos que esperan.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Selección',
        text: 'La pantalla empieza por los documentos con error, que son los que piden una decisión.',
        operations: ['documents.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Lotes',
        text: 'Procesar una selección encola solo los documentos marcados; una selección vacía no hace nada.',
        operations: ['queue.process_batch'],
      },
      {
        class: 'INTERACCION',
        section: 'Orden de ingesta',
        text: 'Subir un documento lo pone por delante de los que esperan en su misma etapa.',
        operations: ['documents.set_ingestion_order'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Lotes',
        text: 'Las etapas siguen su curso aunque se cierre el navegador.',
        operations: ['queue.batch_status'],
      },
      {
        class: 'DETENCION',
        section: 'Lotes',
        text: 'Eliminar un documento retira el trabajo que tenía pendiente.',
        operations: ['documents.delete'],
      },
      {
        class: 'RECUPERACION',
        section: 'Selección',
        text: 'Revertir devuelve el documento a la etapa elegida, descarta lo producido después y lo trabaja de nuevo.',
        operations: ['documents.revert'],
      },
    ],
  },
  {
    code: 'PROCESS_PIPELINE',
    name: 'Canal de ingesta',
    alias: 'Ejecuciones',
    description: 'Inicia, avanza y cancela ejecuciones de escaneo e ingesta, y vigila los trabajos huérfanos.',
    summary:
      'Es la sala de máquinas de la carga: enseña cada ejecución con sus etapas, los trabajos que se han quedado sin responsable y el resumen de la cola, y permite actuar sobre ellos.',
    url: '/canal-ingesta',
    sections: [
      { title: 'Ejecuciones', text: 'Historial de escaneos con su duración, sus altas, sus cambios y sus bajas.' },
      { title: 'Huérfanos', text: 'Trabajos sin arrendamiento desde hace más de cinco minutos.' },
      { title: 'Resumen de cola', text: 'Elementos por etapa y estado.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Ejecuciones',
        text: 'Se abre con la ejecución en marcha o, si no la hay, con la última terminada.',
        operations: ['pipeline_runs.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Ejecuciones',
        text: 'Iniciar una ejecución escanea la carpeta señalada y encola únicamente lo que ha cambiado.',
        operations: ['ingestion_runs.start'],
      },
      {
        class: 'INTERACCION',
        section: 'Resumen de cola',
        text: 'Avanzar una ejecución hace que sus documentos pasen a la etapa siguiente sin aguardar turno.',
        operations: ['ingestion_runs.advance'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Huérfanos',
        text: 'Un conciliador repasa la cola cada cinco segundos y vuelve a llamar a quien deba atenderla.',
        operations: ['queue.list_orphans'],
      },
      {
        class: 'DETENCION',
        section: 'Ejecuciones',
        text: 'Cancelar una ejecución retira sus trabajos pendientes tras mostrar cuántos son.',
        operations: ['ingestion_runs.cancel'],
      },
      {
        class: 'RECUPERACION',
        section: 'Huérfanos',
        text: 'Tras una caída del servicio, los trabajos a medias se retoman al vencer su arrendamiento.',
      },
    ],
  },
  {
    code: 'DOC_LOCATIONS',
    name: 'Ubicaciones',
    alias: 'Carpetas',
    description: 'Registra carpetas de origen y fuentes de la web, y mantiene sus documentos al día.',
    summary:
      'Aquí se dan de alta las carpetas que Acervo vigila y los temas cuyas páginas busca en la web, se revisa lo encontrado y se decide qué hacer cuando una carpeta o una página cambia o deja de existir.',
    url: '/ubicaciones',
    sections: [
      { title: 'Árbol', text: 'Carpetas y subcarpetas con su código estable y su entidad.' },
      { title: 'Sincronización', text: 'Resultado del último recorrido de cada carpeta y ficheros que se ignoraron.' },
      {
        title: 'Web',
        text: 'Temas con sus páginas de inicio, las páginas candidatas y lo que se decidió sobre ellas.',
      },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Árbol',
        text: 'Primero se muestran las carpetas raíz; cada rama se carga al desplegarla.',
        operations: ['locations.list'],
      },
      {
        class: 'INTERACCION',
        section: 'Árbol',
        text: 'Dar de alta una carpeta comprueba que existe, que se puede leer y que no se solapa con otra.',
        operations: ['locations.create'],
      },
      {
        class: 'INTERACCION',
        section: 'Web',
        text: 'Dar de alta un tema con páginas de inicio busca páginas en su mismo dominio y las ordena por cercanía.',
        operations: ['locations.create', 'locations.research_web'],
      },
      {
        class: 'INTERACCION',
        section: 'Web',
        text: 'Cada candidata se aprueba o se rechaza por su dirección o por un patrón; sin aprobación no se guarda ninguna.',
        operations: ['locations.review_web'],
      },
      {
        class: 'INTERACCION',
        section: 'Web',
        text: 'Materializar convierte las páginas aprobadas en documentos que se citan por su propia dirección.',
        operations: ['locations.materialize_web'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Web',
        text: 'Las páginas aprobadas se piden otra vez cada día; la que no ha cambiado no se lee de nuevo.',
      },
      {
        class: 'DETENCION',
        section: 'Web',
        text: 'Si el sitio prohíbe una página en su robots.txt, deja de pedirse y la ejecución lo indica.',
      },
      {
        class: 'RECUPERACION',
        section: 'Web',
        text: 'Una búsqueda cancelada o interrumpida continúa donde se quedó cuando se pide otra vez.',
      },
      {
        class: 'INTERACCION',
        section: 'Árbol',
        text: 'Borrar una carpeta presenta el recuento de documentos que saldrían de la búsqueda.',
        operations: ['locations.preview_delete', 'locations.delete'],
      },
      {
        class: 'INTERACCION',
        section: 'Árbol',
        text: 'Compilar la página de una carpeta reúne lo que contiene; cada lector ve en ella sus documentos.',
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Sincronización',
        text: 'Los cambios de la carpeta se detectan por vigilancia y por recorridos periódicos.',
      },
      {
        class: 'DETENCION',
        section: 'Sincronización',
        text: 'Si desaparece más de la mitad de una carpeta a la vez, no se borra nada y se pide confirmación.',
      },
      {
        class: 'RECUPERACION',
        section: 'Sincronización',
        text: 'Cuando una unidad de red vuelve a estar disponible, sus documentos reaparecen con los mismos códigos.',
      },
    ],
  },
];
