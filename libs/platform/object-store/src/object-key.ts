import { randomUUID } from 'node:crypto';

/** The owner of an object: the group comes first in its key. */
export interface ObjectOwner {
  readonly groupId: string;
}

/** A key that does not belong to the group that asks, or is no key at all. */
export class ForeignObjectKey extends Error {
  constructor() {
    super('The object key does not belong to this group; keys are made by newObjectKey and kept as they are.');
    this.name = 'ForeignObjectKey';
  }
}

/** There is no object under this key. */
export class ObjectMissing extends Error {
  constructor() {
    super('There is no object under this key.');
    this.name = 'ObjectMissing';
  }
}

/** Objects can never be written as the store is configured. */
export class ObjectStoreUnusable extends Error {
  constructor(what: string, remedy: string) {
    super(`${what}; ${remedy}`);
    this.name = 'ObjectStoreUnusable';
  }
}

const KEY = /^group\/([0-9a-f-]{36})\/([a-z-]{1,32})\/([0-9a-f-]{36})$/;

/** A new key: generated, never a file name, so that no document name can reach a path. */
export const newObjectKey = ({ groupId }: ObjectOwner, kind: string): string =>
  checkedKey({ groupId }, `group/${groupId}/${kind}/${randomUUID()}`);

/**
 * The key derived from a digest: the same content finds its object again. At least 32 hex digits, of which the first 32
 * count.
 */
export const derivedObjectKey = ({ groupId }: ObjectOwner, kind: string, digest: string): string => {
  const name = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return checkedKey({ groupId }, `group/${groupId}/${kind}/${name}`);
};

/** The key itself. @throws ForeignObjectKey for another group's key or another grammar. */
export const checkedKey = ({ groupId }: ObjectOwner, key: string): string => {
  if (KEY.exec(key)?.[1] !== groupId) throw new ForeignObjectKey();
  return key;
};

export const groupPrefix = ({ groupId }: ObjectOwner): string => `group/${groupId}`;

/** What the keys of one kind begin with. @throws ForeignObjectKey for what is no kind. */
export const kindPrefix = (owner: ObjectOwner, kind: string): string => {
  if (!/^[a-z-]{1,32}$/.test(kind)) throw new ForeignObjectKey();
  return `${groupPrefix(owner)}/${kind}/`;
};
