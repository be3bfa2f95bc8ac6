import { HTTPClient, type SDKOptions, UnstructuredClient } from 'unstructured-client';
import { SDKHooks } from 'unstructured-client/hooks/hooks.js';
import { Strategy } from 'unstructured-client/sdk/models/shared';
import type { UnstructuredStrategy } from '../strategies';

const STRATEGIES: Readonly<Record<UnstructuredStrategy, Strategy>> = {
  auto: Strategy.Auto,
  fast: Strategy.Fast,
  hi_res: Strategy.HiRes,
  ocr_only: Strategy.OcrOnly,
};

/** The hooks of the package split PDFs and write to the console; neither is wanted here. */
const quietHooks = (): SDKHooks => {
  const hooks = new SDKHooks();
  return Object.assign(hooks, { sdkInitHooks: [], beforeRequestHooks: [], afterSuccessHooks: [], afterErrorHooks: [] });
};

/** Sends one file; the answer is not validated. */
export type Ask = (
  file: { readonly content: Uint8Array; readonly fileName: string },
  strategy: UnstructuredStrategy,
  signal: AbortSignal,
) => Promise<unknown>;

/** Creates the client of the package, without retries and with the given fetcher. */
export const openSdk = (
  { url, apiKey }: { readonly url: string; readonly apiKey: string | null },
  fetcher: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>,
): Ask => {
  const settings: SDKOptions & { hooks: SDKHooks } = {
    serverURL: url,
    httpClient: new HTTPClient({ fetcher }),
    retryConfig: { strategy: 'none' },
    ...(apiKey === null ? {} : { security: { apiKeyAuth: apiKey } }),
    hooks: quietHooks(),
  };
  const client = new UnstructuredClient(settings);
  return (files, strategy, signal) =>
    client.general.partition(
      { partitionParameters: { files, strategy: STRATEGIES[strategy], splitPdfPage: false } },
      { signal },
    );
};
