import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Mounts a file system whose server answers nothing, and unmounts it at the end of its input. */
const MOUNT = `
import ctypes, os, sys
place = sys.argv[1].encode()
server = os.open('/dev/fuse', os.O_RDWR)
libc = ctypes.CDLL(None, use_errno=True)
done = libc.mount(b'hung', place, b'fuse', 6, b'fd=%d,rootmode=40000,user_id=0,group_id=0' % server)
print('mounted' if done == 0 else os.strerror(ctypes.get_errno()), flush=True)
sys.stdin.read()
libc.umount2(place, 2)
`;

/** A mounted share that does not answer: every access to it waits for ever. */
export class HungMount {
  private constructor(private readonly server: ChildProcess) {}

  /** Mounts one; undefined where this machine or this user cannot. */
  static async at(place: string): Promise<HungMount | undefined> {
    mkdirSync(place, { recursive: true });
    const server = spawn('python3', ['-c', MOUNT, place], { stdio: ['pipe', 'pipe', 'ignore'] });
    const printed = await new Promise<string>((resolve) => {
      server.stdout.once('data', (data: Buffer) => resolve(data.toString()));
      server.once('error', () => resolve(''));
      server.once('exit', () => resolve(''));
    });
    const mount = new HungMount(server);
    if (printed.trim() === 'mounted') return mount;
    await mount.unmount();
    return undefined;
  }

  async unmount(): Promise<void> {
    if (this.server.exitCode !== null || this.server.pid === undefined) return;
    const gone = new Promise((resolve) => this.server.once('exit', resolve));
    this.server.stdin?.end();
    await gone;
  }
}
