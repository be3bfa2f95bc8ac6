import { createHash } from 'node:crypto';

const source = (text: string): string => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/** The parts of a page: its frame contains `<!-- style -->` and `<!-- script -->` once each. */
export interface PageParts {
  readonly frame: string;
  readonly style: string;
  readonly script: string;
}

/**
 * One HTML document with its style and script. Its policy admits these two texts and requests to its own origin, and
 * nothing else.
 */
export class Page {
  readonly html: string;
  readonly policy: string;

  constructor({ frame, style, script }: PageParts) {
    // A function, so that `$` in the texts is not a replacement pattern.
    this.html = frame
      .replace('<!-- style -->', () => `<style>${style}</style>`)
      .replace('<!-- script -->', () => `<script type="module">${script}</script>`);
    this.policy = [
      `default-src 'none'`,
      `style-src ${source(style)}`,
      `script-src ${source(script)}`,
      `connect-src 'self'`,
      `form-action 'self'`,
      `img-src data:`,
      `base-uri 'none'`,
      `frame-ancestors 'none'`,
    ].join('; ');
  }
}
