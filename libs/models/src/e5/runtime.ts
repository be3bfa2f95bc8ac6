import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Whether ONNX Runtime is installed with a binary for a platform. */
export const hasRuntime = (platform: string = process.platform, architecture: string = process.arch): boolean => {
  try {
    const place = dirname(require.resolve('onnxruntime-node/package.json'));
    return existsSync(join(place, 'bin', 'napi-v6', platform, architecture, 'onnxruntime_binding.node'));
  } catch {
    return false;
  }
};
