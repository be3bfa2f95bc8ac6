import { createHash } from 'node:crypto';

const source = (text: string): string => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/** The parts of a page: its frame holds `<!-- style -->` and `<!-- script -->` once each. */
export interface PageParts {
  readonly frame: string;
  readonly style: string;
  readonly script: string;
}

/**
 * One HTML document that brings its style and script with it. Its policy admits these two texts and requests to its
 * own origin, and nothing else.
 */
export class Page {
  readonly html: string;
  readonly policy: string;

  constructor({ frame, style, script }: PageParts) {
    // A function, so that no character of the texts is taken for a replacement pattern.
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
