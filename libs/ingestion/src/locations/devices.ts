import type { Location } from './location-tree';

/**
 * Registered folders that were not found and whose device number is a new one. Devices get new numbers at each mount. A
 * folder that was not found follows its parent, or it would count as a share of its own.
 * An absent share keeps its number, unless the device around it received the same number.
 * @param found devices of the folders that were found, by code
 */
export const onNewDevices = (registered: readonly Location[], found: ReadonlyMap<string, string>): Location[] => {
  const before = new Map(registered.map((location) => [location.code, location]));
  const devices = new Map(found);
  const deviceNow = ({ code, device, parentCode }: Location): string => {
    const seen = devices.get(code);
    if (seen !== undefined) return seen;
    const parent = before.get(parentCode ?? '');
    const around = parent === undefined ? undefined : deviceNow(parent);
    const now = parent?.device === device ? (around ?? device) : around === device ? `${device}-${code}` : device;
    devices.set(code, now);
    return now;
  };
  return registered.flatMap((location) => {
    const device = deviceNow(location);
    const isKept = found.has(location.code) || location.removed === true || device === location.device;
    return isKept ? [] : [{ ...location, device }];
  });
};
