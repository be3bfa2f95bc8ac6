import type { RouteDescription } from '@acervo/platform-http';

export const showsFunction: RouteDescription = {
  summary: 'Show a screen of the application, how it behaves and which operations it uses',
  description:
    'The document of one screen in its authored language, with its behaviors by class. Behaviors describe the screen; `operations` are what programs may execute.',
  example: {
    parameters: { function_code: 'DOCUMENTS' },
    answer: {
      code: 'DOCUMENTS',
      name: 'Documentos',
      alias: 'documents',
      description: 'Consulta los documentos que el usuario puede ver.',
      summary: 'Permite localizar documentos, leer sus fragmentos citables y llegar al original.',
      url: '/documentos',
      documentation: '# Documentos\n\nConsulta los documentos que el usuario puede ver.\n',
      behaviors: [
        {
          class: 'STOP',
          section: 'Búsqueda',
          text: 'Una consulta nueva anula la anterior si todavía no había contestado.',
        },
      ],
      operations: [{ code: 'documents.delete', kind: 'write_confirm' }],
    },
  },
};
