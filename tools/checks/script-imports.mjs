// A rule of the linter: a script imports only names that the other script exports. Node would refuse it at its start.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const DECLARED = /^export (?:async )?(?:const|let|class|function\*?) (\w+)/gm;
const LISTED = /^export \{([^}]*)\}/gm;

/** The names that a script exports by a declaration or a list; the scripts have no other exports. */
export const exportsOf = (text) => {
  const listed = [...text.matchAll(LISTED)].flatMap(([, names]) => names.split(','));
  const declared = [...text.matchAll(DECLARED)].map(([, name]) => name);
  return new Set([
    ...declared,
    ...listed.map((name) =>
      name
        .trim()
        .split(/\s+as\s+/)
        .at(-1),
    ),
  ]);
};

/** Refuses imports of scripts that are missing, and of names that they do not export. */
export const knownImports = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    ImportDeclaration(node) {
      const from = node.source.value;
      if (!/^\.{1,2}\/.*\.mjs$/.test(from)) return;
      const path = resolve(dirname(context.filename), from);
      if (!existsSync(path)) return void context.report({ node, message: `There is no script ${from}.` });
      const known = exportsOf(readFileSync(path, 'utf8'));
      for (const specifier of node.specifiers)
        if (specifier.type === 'ImportSpecifier' && !known.has(specifier.imported.name))
          context.report({ node: specifier, message: `${from} exports no ${specifier.imported.name}.` });
    },
  }),
};
