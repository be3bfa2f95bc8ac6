import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@acervo/platform-observability';
import { type Mail, Mailer } from './mailer';

/**
 * Writes each mail to a file that only its owner can read, and logs the path: mail on a machine without a mail server.
 */
export class FileMailer extends Mailer {
  constructor(
    private readonly directory: string,
    private readonly logger: Logger,
  ) {
    super();
  }

  override async send({ to, subject, text }: Mail): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const path = join(
      this.directory,
      `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.txt`,
    );
    await writeFile(path, `To: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600 });
    this.logger.info({ path }, 'mail written');
  }

  override close(): void {
    // Nothing stays open between two mails.
  }
}
