import { DamagedFile, PasswordProtected } from '../../errors';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** The stream with the real file of an encrypted Office file; the directory stores names in UTF-16. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Whether bytes are an OLE compound file, the container of Office before 2007 and of encrypted files after it. */
export const isCompoundFile = (bytes: Buffer): boolean => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/** @throws PasswordProtected or DamagedFile for a file that should be a zip archive and is not. */
export const assertZip = (bytes: Buffer): void => {
  if (isCompoundFile(bytes)) {
    if (bytes.includes(ENCRYPTED)) throw new PasswordProtected();
    throw new DamagedFile();
  }
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw new DamagedFile();
};
