// The graph of projects in docs/architecture.md, generated from the dependencies in their package.json files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolders } from '../lib/projects.mjs';

const PAGE = ['docs', 'architecture.md'];
const BLOCK = /<!-- project graph -->[\s\S]*?<!-- end of the project graph -->/;

/** The box of a project in the graph: the libraries of the platform share one, and so do the programs of services. */
const boxOf = (folder) => {
  if (folder.startsWith('libs/platform/')) return 'libs/platform/*';
  return folder;
};

const idOf = (box) => box.replaceAll(/[^a-z]/g, '_');

/** Every project with the folders of its dependencies. */
const projectsIn = (root) => {
  const found = projectFolders(root).map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  }));
  const folderOf = new Map(found.map(({ folder, manifest }) => [manifest.name, folder]));
  return found.map(({ folder, manifest }) => ({
    folder,
    needs: Object.keys({ ...manifest.dependencies, ...(manifest.private ? {} : manifest.devDependencies) }).flatMap(
      (name) => folderOf.get(name) ?? [],
    ),
  }));
};

/** Edges between boxes, without transitive ones. */
const edgesOf = (projects) => {
  const needs = new Map();
  for (const { folder, needs: needed } of projects) {
    const box = boxOf(folder);
    const others = needed.map(boxOf).filter((other) => other !== box);
    needs.set(box, new Set([...(needs.get(box) ?? []), ...others]));
  }
  const reaches = (from, to) => [...(needs.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return [...needs].flatMap(([box, others]) =>
    [...others]
      .filter((other) => ![...others].some((between) => between !== other && reaches(between, other)))
      .map((other) => [box, other]),
  );
};

/** The names of one dependency cycle, if there is one. */
export const circleIn = (projects) => {
  const needs = new Map(projects.map(({ folder, needs: needed }) => [folder, needed]));
  const done = new Set();
  const walk = (folder, path) => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return undefined;
    for (const next of needs.get(folder) ?? []) {
      const circle = walk(next, [...path, folder]);
      if (circle !== undefined) return circle;
    }
    done.add(folder);
    return undefined;
  };
  return projects.map(({ folder }) => walk(folder, [])).find((circle) => circle !== undefined);
};

/** The graph in the syntax of Mermaid. */
export const graphOf = (projects) => {
  const boxes = [...new Set(projects.map(({ folder }) => boxOf(folder)))].sort();
  const lines = [
    ...boxes.map((box) => `  ${idOf(box)}["${box}"]`),
    ...edgesOf(projects)
      .map(([from, to]) => `  ${idOf(from)} --> ${idOf(to)}`)
      .sort(),
  ];
  return `\`\`\`mermaid\ngraph TD\n${lines.join('\n')}\n\`\`\``;
};

const blockOf = (projects) => `<!-- project graph -->\n\n${graphOf(projects)}\n\n<!-- end of the project graph -->`;

/** The page with the current graph. @param page the text of docs/architecture.md */
export const withGraph = (root, page) => page.replace(BLOCK, () => blockOf(projectsIn(root)));

/** Problems of the graph: a cycle, or an outdated page. */
export const graphProblems = (root) => {
  const circle = circleIn(projectsIn(root));
  const page = readFileSync(join(root, ...PAGE), 'utf8');
  return [
    ...(circle === undefined ? [] : [`Projects depend on each other in a circle: ${circle.join(' -> ')}.`]),
    ...(withGraph(root, page) === page
      ? []
      : [`${PAGE.join('/')} shows another graph of projects; npm run openapi writes it again.`]),
  ];
};
