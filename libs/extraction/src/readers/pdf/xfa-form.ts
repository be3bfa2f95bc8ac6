import { LimitExceeded } from '../../errors';
import { childOf, findNode, type FormNode, textOfNode } from './xfa-tree';

/** Steps of merging a form with its values: a template may repeat for each value, and looks among them. */
const MOST_STEPS = 10_000_000;
const HIDDEN = ['hidden', 'invisible', 'inactive'];
const CONTAINERS = ['subform', 'subformSet', 'area', 'pageSet', 'pageArea'];

/** The name by which a field finds its value; null for one that is bound to none. */
const boundName = (node: FormNode): string | null => {
  const bind = childOf(node, 'bind');
  if (bind?.attributes.get('match') === 'none') return null;
  const last = bind?.attributes.get('ref')?.split('.').at(-1)?.split('[')[0];
  return last ?? node.attributes.get('name') ?? null;
};

const itemsOf = (node: FormNode, saved: boolean): string[] =>
  (
    node.children.find(({ name, attributes }) => name === 'items' && (attributes.get('save') === '1') === saved)
      ?.children ?? []
  ).map(textOfNode);

/** Merges the template of a form with its values, as a program does that shows it. */
class FormWriter {
  readonly lines: string[] = [];
  private readonly used = new Set<FormNode>();
  private readonly byName = new Map<string, FormNode[]>();
  private steps = 0;

  constructor(data: FormNode | undefined) {
    if (data !== undefined) this.index(data);
  }

  write(node: FormNode, data: FormNode | undefined): void {
    this.step(data);
    if (HIDDEN.includes(node.attributes.get('presence') ?? '')) return;
    if (node.name === 'draw') this.line(textOfNode(childOf(node, 'value')));
    else if (node.name === 'field') this.field(node, this.value(node, data));
    else if (node.name === 'exclGroup') this.choices(node, this.value(node, data));
    else if (CONTAINERS.includes(node.name) || node.name === 'template') this.container(node, data);
  }

  private step(data?: FormNode): void {
    this.steps += 1 + (data?.children.length ?? 0);
    if (this.steps > MOST_STEPS) throw new LimitExceeded('steps to fill in a form', MOST_STEPS);
  }

  private index(node: FormNode): void {
    for (const child of node.children) {
      if (child.children.length > 0) this.index(child);
      else this.waiting(child.name).push(child);
    }
  }

  private waiting(name: string): FormNode[] {
    const nodes = this.byName.get(name) ?? [];
    this.byName.set(name, nodes);
    return nodes;
  }

  /** A group with a name repeats for each group of that name among the values. */
  private container(node: FormNode, data: FormNode | undefined): void {
    const name = node.attributes.get('name');
    const groups = (data?.children ?? []).filter((child) => child.name === name && !this.used.has(child));
    for (const group of groups.length > 0 ? groups : [data]) {
      if (group !== undefined && group !== data) this.used.add(group);
      for (const child of node.children) this.write(child, group);
    }
  }

  /** The value among those of its group, else the next one of its name; its own one where the form has none. */
  private value(node: FormNode, data: FormNode | undefined): string {
    const name = boundName(node);
    const isFree = (found: FormNode): boolean => found.name === name && !this.used.has(found);
    const found = data?.children.find(isFree) ?? this.next(name ?? '');
    if (found === undefined) return textOfNode(childOf(node, 'value'));
    this.used.add(found);
    return textOfNode(found);
  }

  private next(name: string): FormNode | undefined {
    const nodes = this.byName.get(name);
    const at = nodes?.findIndex((node) => !this.used.has(node)) ?? -1;
    this.steps += Math.max(0, at);
    return nodes?.[at];
  }

  private field(node: FormNode, value: string): void {
    const ui = childOf(node, 'ui');
    if (childOf(ui, 'button') !== undefined || childOf(ui, 'passwordEdit') !== undefined) return;
    const caption = textOfNode(childOf(node, 'caption'));
    if (childOf(ui, 'checkButton') !== undefined)
      return this.box(caption, value !== '' && value === (itemsOf(node, false)[0] ?? '1'));
    const saved = itemsOf(node, true);
    const shown = itemsOf(node, false)[saved.indexOf(value)] ?? value;
    this.line(
      caption === '' || shown === ''
        ? caption + shown
        : `${caption.endsWith(':') ? caption.slice(0, -1).trimEnd() : caption}: ${shown}`,
    );
  }

  private choices(node: FormNode, value: string): void {
    this.line(textOfNode(childOf(node, 'caption')));
    for (const child of node.children) {
      this.step();
      if (child.name !== 'field') continue;
      this.box(textOfNode(childOf(child, 'caption')), value !== '' && itemsOf(child, false)[0] === value);
    }
  }

  private box(caption: string, isChosen: boolean): void {
    this.line(`${isChosen ? '☒' : '☐'} ${caption}`);
  }

  private line(text: string): void {
    if (text.trim() !== '') this.lines.push(text.trim());
  }
}

/** Names and values of a form without a template. */
const bareValues = (node: FormNode): string[] =>
  node.children.flatMap((child) => {
    if (child.children.length > 0) return bareValues(child);
    return child.text.trim() === '' ? [] : [`${child.name}: ${child.text.trim()}`];
  });

/** What a form shows when it is filled in: titles, labels and values, a line each. @throws LimitExceeded */
export const formLines = (packets: readonly FormNode[]): string[] => {
  const root: FormNode = { name: '', attributes: new Map(), children: [...packets], text: '' };
  const template = findNode(root, 'template');
  const data = childOf(findNode(root, 'datasets'), 'data');
  if (template === undefined) return data === undefined ? [] : bareValues(data);
  const writer = new FormWriter(data);
  writer.write(template, data);
  return writer.lines;
};
