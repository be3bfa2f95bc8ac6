import { createCipheriv, randomBytes } from 'node:crypto';
import { Peppers } from './peppers';
import { Seal } from './seal';

const peppers = new Peppers('1:a pepper of sixteen and more,2:another pepper of sixteen and more');
const seal = new Seal(peppers, 'totp');

/** A text as releases before 0.1.0 sealed it: bound to the version of its key alone. */
const sealedBefore = (text: string): Buffer => {
  const [version, iv] = [Buffer.from([0, 1]), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', peppers.derive('totp', 1), iv).setAAD(version);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([version, iv, cipher.getAuthTag(), sealed]);
};

describe('a sealed text', () => {
  it('a text that was moved to another row does not open', () => {
    const bytes = seal.seal('secret', 'group/ana');
    expect(seal.open(bytes, 'group/ana')).toBe('secret');
    expect(() => seal.open(bytes, 'group/eva')).toThrow();
    expect(() => seal.open(bytes, null)).toThrow();
  });
  it('a bound text without its mark does not open', () => {
    const bytes = seal.seal('secret', 'group/ana');
    bytes.writeUInt16BE(peppers.version);
    expect(() => seal.open(bytes, 'group/ana')).toThrow();
  });
  it('a text that an earlier release sealed still opens', () => {
    expect(seal.open(sealedBefore('secret'), 'group/ana')).toBe('secret');
  });
  it('a short tag does not open', () => {
    const bytes = seal.seal('secret', null);
    expect(() => seal.open(bytes.subarray(0, 18), null)).toThrow();
  });
});
