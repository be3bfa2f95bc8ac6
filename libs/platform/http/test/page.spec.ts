import { createHash } from 'node:crypto';
import { Controller, Get, Module } from '@nestjs/common';
import request from 'supertest';
import { requirements, Requires } from '@acervo/rbac';
import { AnswersPage, Page } from '../src';
import { testApp, type TestApp } from './support';

const parts = {
  frame: '<!doctype html><head><!-- style --></head><!-- script -->',
  style: 'p { color: red }',
  script: "say('$&')",
};

@Controller('docs-page')
class Pages {
  @Get()
  @Requires(requirements.nobody)
  @AnswersPage()
  page(): Page {
    return new Page(parts);
  }
}

@Module({ controllers: [Pages] })
class PageModule {}

describe('a page', () => {
  let http: TestApp;
  beforeAll(async () => {
    http = await testApp({ module: PageModule });
  });
  afterAll(() => http.close());

  it('a page contains its style and script unchanged', async () => {
    const { text } = await request(http.handler)
      .get('/docs-page')
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    expect(text).toBe(
      `<!doctype html><head><style>${parts.style}</style></head><script type="module">${parts.script}</script>`,
    );
  });
  it('the policy of a page admits its texts and own origin', async () => {
    const { headers } = await request(http.handler).get('/docs-page');
    const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).toContain(`style-src ${digest(parts.style)};`);
    expect(policy).toContain(`script-src ${digest(parts.script)};`);
    expect(policy).not.toContain('unsafe');
  });
  it('a page has no validator for caching', async () => {
    expect((await request(http.handler).get('/docs-page')).headers).not.toHaveProperty('etag');
  });
});
