import { UnstructuredSource } from '../src/unstructured';
import { ROOMY } from './support/reading';
import { behavesLikeATextSource } from './support/text-source-behaviour';

// The first file of each kind loads the library.
jest.setTimeout(120_000);

const url = process.env['ACERVO_UNSTRUCTURED_URL'];

// Only with a running library: `npm run bench -- unstructured` starts it.
(url === undefined ? describe.skip : describe)('the open-source library of Unstructured', () => {
  behavesLikeATextSource('behind a server', () => {
    const asked = { url: url ?? '', apiKey: null, strategy: 'auto', deadlineMs: 60_000, tries: 2 } as const;
    return Promise.resolve(new UnstructuredSource({ ...asked, atOnce: 1, limits: ROOMY, fallback: null }));
  });
});
