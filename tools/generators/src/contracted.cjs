// Rows of the contract's table of operations: kind, profile and screens of pending codes.
const TABLE = 'libs/contracts/src/operations/contract-table.ts';
const DEFAULT = { kind: 'read', profile: 'USUARIO', screens: ['DOCUMENTS'] };

/** The rows of the contract for a code; a default if the contract does not list it. */
const contractedRow = (tree, code) => {
  const text = tree.read(TABLE, 'utf8');
  for (const [, kind, profile, listed] of text.matchAll(/rows\('(\w+)', '(\w+)', \{([\s\S]*?)\n\}\)/g)) {
    const row = new RegExp(`'${code.replace('.', '\\.')}': \\[([^\\]]*)\\]`).exec(listed);
    if (row !== null) return { kind, profile, screens: [...row[1].matchAll(/'([^']+)'/g)].map(([, screen]) => screen) };
  }
  return DEFAULT;
};

module.exports = { contractedRow };
