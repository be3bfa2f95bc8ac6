// The product on a folder with a few documents, as its own process, and the codes of its contents.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, Program } from '@acervo/e2e/harness';

const writeFolder = (folder) => {
  mkdirSync(join(folder, 'actas'), { recursive: true });
  for (let number = 0; number < 12; number += 1)
    writeFileSync(
      join(folder, number % 2 === 0 ? 'actas' : '', `acta-${number}.txt`),
      `El acta ${number} dice que la comunidad reparte el agua de riego cada semana.\n`,
    );
};

/** Starts the product in its own directory, and waits until its documents are searchable. */
export const startProduct = async (place) => {
  const folder = join(place, 'folder');
  writeFolder(folder);
  const program = await Program.start({ folder, data: join(place, 'data'), port: await freePort(), processes: false });
  await program.done();
  return program;
};

const createSpace = async (program, name) => {
  const body = { input: { name: 'Actas', criteria: { name } } };
  const answer = await program.ask('POST', '/v1/operations/spaces.create:execute', body);
  return answer.body.result.space_id;
};

/** Every operation with its schemas, and existing codes, so that requests reach more than refusals. */
export const factsOf = async (program) => {
  const ask = async (path) => (await program.ask('GET', path)).body;
  const { operations } = await ask('/v1/operations');
  const details = [];
  for (const { code } of operations) details.push(await ask(`/v1/operations/${code}`));
  const { documents } = await ask('/v1/documents?limit=12');
  const { locations } = await ask('/v1/locations');
  const { runs } = await ask('/v1/runs');
  const spaces = [await createSpace(program, '*'), await createSpace(program, 'acta-1*')];
  return {
    key: program.key,
    operations: details,
    codes: {
      document_code: documents.map(({ code }) => code),
      location_code: locations.map(({ code }) => code),
      entity_code: ['E1'],
      function_code: ['DOCUMENTS', 'CHAT-USER'],
      run: runs.map(({ run }) => run),
      space_id: spaces,
      code: operations.map(({ code }) => code),
    },
  };
};
