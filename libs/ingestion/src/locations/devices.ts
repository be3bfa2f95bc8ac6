import type { Location } from './location-tree';

/**
 * Registered folders that were not found and whose device is another one now. Devices are numbered anew at each mount:
 * a folder that was not found goes with the one that it lies in, or it would be taken for a share of its own. A share
 * that is not there keeps its number, unless the device around it was given the same one.
 * @param found devices of the folders that were found, by code
 */
export const onNewDevices = (registered: readonly Location[], found: ReadonlyMap<string, string>): Location[] => {
  const before = new Map(registered.map((location) => [location.code, location]));
  const devices = new Map(found);
  const deviceNow = ({ code, device, parentCode }: Location): string => {
    const known = devices.get(code);
    if (known !== undefined) return known;
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
