import type { RouteDescription } from '@acervo/platform-http';

const cloudRelease = {
  version: '1.4.0',
  notas: 'Búsquedas más rápidas.',
  version_min_cliente_compatible: '1.2.0',
  commit: 'dc84b47fb07fd3297c4ef92aaf83bc9a273c5379',
  fecha_publicacion: '2026-11-26T09:00:00.000Z',
};

const clientRelease = {
  version: '1.3.0',
  version_min_compatible: '1.2.0',
  obligatoria: false,
  notas: 'Abre documentos en su carpeta.',
  url_descarga_macos: 'https://downloads.example.org/acervo-1.3.0.dmg',
  url_descarga_windows: null,
  fecha_publicacion: '2026-11-26T09:00:00.000Z',
};

export const showsCloudRelease: RouteDescription = {
  summary: 'Show the newest published version of the service',
  description: 'Newest by semantic version, pre-releases aside; 404 before the first one. May be a minute old.',
  example: { answer: cloudRelease },
  errors: ['NOT_FOUND'],
};

export const showsClientRelease: RouteDescription = {
  summary: 'Show the newest published version of the desktop client',
  description: 'Newest by semantic version, pre-releases aside; 404 before the first one. May be a minute old.',
  example: { answer: clientRelease },
  errors: ['NOT_FOUND'],
};

export const publishesClientRelease: RouteDescription = {
  summary: 'Publish a version of the desktop client, once',
  description:
    'Takes the token of releases in a header. The same version with the same content changes nothing; other content is 409.',
  example: { request: clientRelease, answer: clientRelease },
  errors: ['FORBIDDEN', 'CONFLICT'],
};
