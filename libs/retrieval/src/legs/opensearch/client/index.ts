import { Client, errors } from '@opensearch-project/opensearch';
import { EngineDown } from '@acervo/contracts';
import { OPENSEARCH, refusal } from '../engine-errors';

export type { Client } from '@opensearch-project/opensearch';

/** Address and credentials of the engine. */
export interface ClientSettings {
  readonly url: string;
  readonly user: string | null;
  readonly password: string | null;
  /** The certificates that sign the engine's own. */
  readonly certificates: string | null;
}

export const openClient = ({ url: node, user, password, certificates }: ClientSettings): Client =>
  new Client({
    node,
    maxRetries: 0,
    agent: { keepAlive: true, maxSockets: 32 },
    ...(user === null ? {} : { auth: { username: user, password: password ?? '' } }),
    ...(certificates === null ? {} : { ssl: { ca: certificates } }),
  });

/** Translates an error of the client. */
export const understood = (error: unknown): unknown => {
  if (error instanceof errors.ResponseError) {
    const { type } = (error.body as { error?: { type?: string } } | undefined)?.error ?? {};
    return refusal(error.statusCode ?? 0, type ?? 'unknown');
  }
  return error instanceof errors.OpenSearchClientError ? new EngineDown(OPENSEARCH, error.name) : error;
};
