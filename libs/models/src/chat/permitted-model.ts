const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address is on this machine, so that no text leaves it. */
export const isOnThisMachine = (url: string | null): boolean => {
  try {
    return url !== null && LOOPBACK.test(new URL(url).hostname);
  } catch {
    return false;
  }
};
