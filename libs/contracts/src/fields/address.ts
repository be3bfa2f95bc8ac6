/**
 * The one spelling of an address. Decoding folds every address that names a user, rows store the folded one, and SQL
 * compares it as it is: the `lower` of a database depends on its locale and differs from this one beyond ASCII.
 */
export const foldAddress = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');
