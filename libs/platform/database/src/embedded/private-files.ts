import { NodeFS } from '@electric-sql/pglite/nodefs';

/** The part of the file system of Emscripten that sets modes. */
interface Modes {
  chmod: (file: unknown, mode: number, dontFollow?: boolean) => void;
}

/** The rights that a file of the cluster may have. */
const OWNER_ONLY = 0o700;

/** The cluster as files that only their owner can read. The engine sets modes itself, so that a umask has no effect. */
export class PrivateFiles extends NodeFS {
  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(engine, options);
    const restrict = ({ FS }: { readonly FS: Modes }): void => {
      const { chmod } = FS;
      FS.chmod = (file, mode, dontFollow) => chmod(file, mode & OWNER_ONLY, dontFollow);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), restrict] } };
  }
}
