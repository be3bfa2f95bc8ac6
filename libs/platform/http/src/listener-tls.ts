import { readFileSync, statSync } from 'node:fs';
import type { Server as TlsServer } from 'node:https';
import { Periodic } from '@acervo/platform-resilience';

/** Files with the certificate of a listener, its chain included, and with its key; both as PEM. */
export interface ListenerTls {
  readonly certificate: string;
  readonly key: string;
}

/** The certificate of a listener cannot be used. */
export class UnusableCertificate extends Error {
  constructor({ certificate, key }: ListenerTls, cause: unknown) {
    super(
      `The certificate ${certificate} and the key ${key} cannot be used: ${(cause as Error).message}. Set ACERVO_INTERNAL_TLS_CERTIFICATE and ACERVO_INTERNAL_TLS_KEY to files of one certificate, as PEM.`,
      { cause },
    );
    this.name = 'UnusableCertificate';
  }
}

/** How often the files are looked at: certificates are replaced days before they expire. */
const LOOK_MS = 60_000;

/** What a TLS server presents. */
export const readCertificate = ({
  certificate,
  key,
}: ListenerTls): { readonly cert: Buffer; readonly key: Buffer } => ({
  cert: readFileSync(certificate),
  key: readFileSync(key),
});

const versionOf = ({ certificate, key }: ListenerTls): string =>
  [certificate, key].map((file) => statSync(file).mtimeMs).join();

/**
 * Lets a server present a certificate that was replaced, without a restart; open connections keep theirs. Files that
 * cannot be read, or that do not fit together yet, are looked at again.
 * @param failed gets the error of a replacement that cannot be used
 */
export const followCertificate = (
  server: TlsServer,
  tls: ListenerTls,
  failed: (error: unknown) => void,
  everyMs = LOOK_MS,
): void => {
  let version = versionOf(tls);
  const look = (): void => {
    const now = versionOf(tls);
    if (now === version) return;
    server.setSecureContext(readCertificate(tls));
    version = now;
  };
  const looks = new Periodic(look, { everyMs, failed });
  looks.start();
  server.once('close', () => void looks.stop());
};
