import { S3ServiceException } from '@aws-sdk/client-s3';
import { EngineDown } from '@acervo/contracts';
import { ObjectMissing } from '../object-key';

export const S3 = 'S3';

/** The store refused the operation: a wrong key, a missing bucket, a missing right. */
export class ObjectStoreRefused extends Error {
  constructor(
    readonly reason: string,
    status: number,
  ) {
    super(`${S3} refused with status ${status} (${reason}); see address, keys and bucket in the configuration.`);
    this.name = 'ObjectStoreRefused';
  }
}

/** Translates an error of the client; the message contains nothing of a key or an object. */
export const understood = (error: unknown): Error => {
  if (!(error instanceof S3ServiceException))
    return new EngineDown(S3, (error as { code?: string }).code ?? (error as Error).name);
  const status = error.$metadata.httpStatusCode ?? 0;
  if (error.name === 'NoSuchKey' || error.name === 'NotFound') return new ObjectMissing();
  return status >= 500 || status === 429 || status === 0
    ? new EngineDown(S3, error.name)
    : new ObjectStoreRefused(error.name, status);
};
