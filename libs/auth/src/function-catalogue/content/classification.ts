import type { FunctionContent } from './shape';

/** Screens about the kinds of documents and their attributes. */
export const classificationScreens: readonly FunctionContent[] = [
  {
    code: 'GROUP_DOCUMENT_TYPES',
    name: 'Tipos de documento',
    alias: 'Tipología',
    description: 'Elige y ajusta los tipos de documento con los que trabaja el grupo.',
    summary:
      'Los tipos forman un árbol; cada uno vale para todo el grupo o para una sola entidad. El recuento por entidad ayuda a ver qué tipos se usan de verdad.',
    url: '/tipos-documento',
    sections: [
      { title: 'Tipología', text: 'Árbol de tipos con su código, su nombre y su definición.' },
      { title: 'Uso por entidad', text: 'Documentos de cada tipo en cada entidad.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Tipología',
        text: 'El árbol de tipos se presenta con las ramas en uso abiertas.',
      },
      {
        class: 'INTERACCION',
        section: 'Tipología',
        text: 'Crear un tipo bajo otro hereda las características del superior.',
        operations: ['document_types.create'],
      },
      {
        class: 'INTERACCION',
        section: 'Uso por entidad',
        text: 'Un clic en una cifra enumera los documentos que la componen.',
        operations: ['document_types.summary_by_entity'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Uso por entidad',
        text: 'Los recuentos incluyen cada documento en cuanto se clasifica.',
        operations: ['document_types.summary_by_entity'],
      },
      {
        class: 'DETENCION',
        section: 'Tipología',
        text: 'Suprimir un tipo con documentos informa de cuántos quedarían sin clasificar antes de continuar.',
        operations: ['document_types.delete'],
      },
      {
        class: 'RECUPERACION',
        section: 'Tipología',
        text: 'Los documentos que perdieron su tipo vuelven a clasificarse sin extraerse de nuevo.',
      },
    ],
  },
  {
    code: 'DOC_FEATURE_CATEGORIES',
    name: 'Categorías de características',
    alias: 'Características',
    description: 'Establece qué datos se buscan en cada tipo de documento y cómo se agrupan.',
    summary:
      'Una característica es un dato que un documento puede contener, como un importe o una fecha de vencimiento. Las categorías las reúnen y los límites de cada tipo indican cuándo un documento deja de pertenecer a él.',
    url: '/categorias-caracteristicas',
    sections: [
      { title: 'Categorías', text: 'Conjuntos de características que se asocian a los tipos.' },
      { title: 'Características', text: 'Nombre, tipo de dato y cómo se busca en el documento.' },
      { title: 'Límites', text: 'Qué distingue a un tipo de sus vecinos.' },
    ],
    behaviours: [
      {
        class: 'NAVEGACION',
        section: 'Categorías',
        text: 'Se muestran las categorías del último tipo consultado.',
        operations: ['document_types.list_categories'],
      },
      {
        class: 'INTERACCION',
        section: 'Características',
        text: 'Añadir una característica comprueba antes la expresión con la que se busca.',
        operations: ['document_types.add_feature'],
      },
      {
        class: 'INTERACCION',
        section: 'Límites',
        text: 'Fijar un límite enseña ejemplos de documentos que caerían a cada lado.',
        operations: ['document_types.set_boundary'],
      },
      {
        class: 'SEGUNDO_PLANO',
        section: 'Características',
        text: 'Las características nuevas se extraen documento a documento sin ocupar la ingesta.',
      },
      {
        class: 'DETENCION',
        section: 'Características',
        text: 'Retirar una característica informa antes de cuántos documentos la tienen.',
        operations: ['document_types.remove_feature'],
      },
      {
        class: 'RECUPERACION',
        section: 'Características',
        text: 'Las extracciones interrumpidas se reanudan por el primer documento sin valor.',
      },
      {
        class: 'NAVEGACION',
        section: 'Límites',
        text: 'El impacto de un cambio conduce a la relación de documentos afectados.',
        operations: ['document_types.get_impact'],
      },
    ],
  },
];
