const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address is on this machine, so that no text leaves it. */
export const isOnThisMachine = (url: string | null): boolean => {
  try {
    return url !== null && LOOPBACK.test(new URL(url).hostname);
  } catch {
    return false;
  }
};

/** What decides on the model of a group. */
export interface ModelChoice {
  /** Those that the operator lists, the default first. */
  readonly models: readonly string[];
  /** Whether they are on this machine. */
  readonly isLocal: boolean;
  /** Whether the text of the group may leave the machine. */
  readonly isAllowed: boolean;
  /** The model that the group names. */
  readonly named: string | null;
}

/** The model that a group may use: the one that it names, where the operator lists it, else the default; null for none. */
export const permittedModel = ({ models, isLocal, isAllowed, named }: ModelChoice): string | null => {
  if (!isLocal && !isAllowed) return null;
  return models.find((name) => name === named) ?? models[0] ?? null;
};
