/** An object inside a file that is read with it. */
export interface InnerObject {
  readonly text: string;
  readonly isChart: boolean;
}

/** Objects of a file by their folder, and what of it a body has written. */
export class ShownParts {
  /** Comments with a text. */
  comments = 0;
  /** Charts that stand in the body itself, as in a flat file. */
  charts = 0;
  readonly written = new Set<string>();

  constructor(readonly objects: ReadonlyMap<string, InnerObject> = new Map()) {}

  /** The text of the object that a frame refers to; '' for one that is a picture or absent. */
  show(href = ''): string {
    const folder = href.replace(/^\.\//, '').replace(/\/$/, '');
    const object = this.objects.get(folder);
    if (object === undefined) return '';
    this.written.add(folder);
    return object.text;
  }
}
