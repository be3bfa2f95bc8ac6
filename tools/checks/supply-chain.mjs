// What is installed is what was committed, and may be handed on with the product.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that ask for nothing but their text beside a copy. */
const ADMITTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Zlib',
]);
/** Packages whose manifest names no licence: that of their licence file, read by a person. */
const READ = new Map([
  ['busboy', 'MIT'],
  ['passport-strategy', 'MIT'],
  ['pause', 'MIT'],
  ['streamsearch', 'MIT'],
  ['unstructured-client', 'MIT'],
]);

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Whether one of the choices of an expression (SPDX) is admitted with all that it joins. */
const isAdmitted = (expression) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ADMITTED.has(licence.trim())));

/** @param lock the content of package-lock.json */
export const supplyChainProblems = ({ packages }) => {
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const shipped = installed.filter(([, { dev, devOptional }]) => !dev && !devOptional);
  const licences = shipped.map(([path, { license }]) => [nameOf(path), license ?? READ.get(nameOf(path))]);
  return [
    ...installed
      .filter(([, { integrity, inBundle }]) => !inBundle && !String(integrity).startsWith('sha512-'))
      .map(([path]) => `package-lock.json has no SHA-512 of ${path}: install it again with npm.`),
    ...licences
      .filter(([, licence]) => licence === undefined)
      .map(([name]) => `${name} names no licence: read its licence file and note it in tools/checks/supply-chain.mjs.`),
    ...licences
      .filter(([, licence]) => licence !== undefined && !isAdmitted(licence))
      .map(([name, licence]) => `${name} has the licence ${licence}, which is not admitted: use another package.`),
  ];
};

export const supplyChainProblemsIn = (root) =>
  supplyChainProblems(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
