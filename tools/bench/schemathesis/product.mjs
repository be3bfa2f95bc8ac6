// The product on a folder with a few documents, as its own process, and what the requests need to know of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { freePort, Program } from '@acervo/e2e/harness';
import { fillProduct } from './contents.mjs';

const { allOperations, fieldsOf } = createRequire(import.meta.url)('@acervo/contracts');

const writeFolder = (folder) => {
  mkdirSync(join(folder, 'actas'), { recursive: true });
  for (let number = 0; number < 12; number += 1)
    writeFileSync(
      join(folder, number % 2 === 0 ? 'actas' : '', `acta-${number}.txt`),
      `El acta ${number} dice que la comunidad reparte el agua de riego cada semana.\n`,
    );
};

const RELEASE_TOKEN = 'release-token-of-the-bench';

/** Starts the product in its own directory, and waits until its documents are searchable. */
export const startProduct = async (place) => {
  const [folder, opened] = ['folder', 'opened'].map((name) => join(place, name));
  writeFolder(folder);
  mkdirSync(join(opened, 'second'), { recursive: true });
  const request = { data: join(place, 'data'), processes: false };
  const program = await Program.start({
    ...{ ...request, folder, port: await freePort() },
    environment: { ACERVO_RELEASE_TOKEN: RELEASE_TOKEN, ACERVO_FOLDER_ROOTS: `G1=${opened}` },
  });
  await program.done();
  return { program, second: join(opened, 'second') };
};

/**
 * The existing identifiers that each field of an input may have; a new identifier is left to the generator. A deletion
 * gets the last thing of each kind, so that the others stay for the other requests.
 */
const knownInputs = ({ code, input }, things) =>
  Object.fromEntries(
    fieldsOf(input).flatMap(({ publicName, names, list }) => {
      const every = things[names];
      if (publicName === null || every === undefined) return [];
      return [[publicName, { known: code.endsWith('.delete') ? every.slice(-1) : every, list }]];
    }),
  );

/** The existing identifiers of the parameters and body fields of routes, by their names. */
const knownFields = (things) => ({
  document_code: things.document,
  location_code: things.location,
  entity_code: things.entity,
  area_code: things.area,
  function_code: things.function,
  conversation_id: things.conversation,
  process_code: things.process,
  skill_code: things.skill,
  space_id: things.space,
  space_id_a: things.space,
  space_id_b: things.space,
  document_types: things.document_type,
  assigned_to: things.user,
  code: things.operation,
  public_name: things.tool,
});

/** Every operation with its schemas, and existing identifiers. */
export const factsOf = async ({ program, second }) => {
  const things = await fillProduct(program, second);
  const details = [];
  for (const code of things.operation) details.push((await program.ask('GET', `/v1/operations/${code}`)).body);
  const inputs = allOperations().map((operation) => [operation.code, knownInputs(operation, things)]);
  return {
    ...{ key: program.key, operations: details, fields: knownFields(things), inputs: Object.fromEntries(inputs) },
    releaseToken: RELEASE_TOKEN,
  };
};
