import { mkdirSync, renameSync } from 'node:fs';
import promises from 'node:fs/promises';
import { join } from 'node:path';

type Look = (path: string, options: object) => Promise<{ dev: bigint }>;

/** Folders below a root that are shares: each is on a device of its own while it is mounted. */
export class Mounts {
  private readonly devices = new Map<string, bigint>();

  constructor(private readonly root: string) {
    const lstat = promises.lstat as Look;
    jest.spyOn(promises, 'lstat').mockImplementation((async (path: string, options: object) => {
      const stats = await lstat(path, options);
      return Object.assign(stats, { dev: stats.dev + this.deviceOf(path) });
    }) as never);
  }

  /** Makes a folder a share; `device` is the difference to the device of the root. */
  mount(path: string, device: bigint): void {
    this.devices.set(join(this.root, path), device);
  }

  /** Unmounts a share; its empty mount point stays. */
  unmount(path: string): void {
    this.devices.delete(join(this.root, path));
    renameSync(join(this.root, path), this.away(path));
    mkdirSync(join(this.root, path));
  }

  /** Mounts a share whose mount point was removed. */
  remount(path: string, device: bigint): void {
    renameSync(this.away(path), join(this.root, path));
    this.mount(path, device);
  }

  private away(path: string): string {
    return `${this.root}-away-${path.replaceAll('/', '-')}`;
  }

  private deviceOf(path: string): bigint {
    const around = [...this.devices].filter(([top]) => path === top || path.startsWith(`${top}/`));
    const [, device] = around.toSorted(([a], [b]) => b.length - a.length)[0] ?? ['', 0n];
    return device;
  }
}
