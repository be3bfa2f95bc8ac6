// Runs the suite of readers against the real `unstructured` library behind a thin server. It installs about 1 GB, once.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../lib/options.mjs';
import { run as runCommand } from '../lib/workspace.mjs';
import { freePort } from '../stack/net.mjs';

const PACKAGES = [
  'unstructured[docx]==0.27.32',
  'pdfminer.six',
  'pikepdf',
  'pypdf',
  'pdf2image',
  'pi-heif',
  'fastapi',
  'uvicorn',
  'python-multipart',
  // The fast strategy for PDF imports these packages, but never uses a model.
  'opencv-python-headless',
  'pandas',
  'scipy',
  'onnxruntime',
  'huggingface_hub',
  'onnx',
  'matplotlib',
];
/** Without its dependencies: several GB of model libraries that the fast strategy does not load. */
const PACKAGE_ALONE = 'unstructured-inference==1.6.14';
const here = join(root, 'tools', 'bench', 'unstructured');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'acervo', 'unstructured');
const python = join(cache, 'bin', 'python');

const isInstalled = () =>
  spawnSync(python, ['-c', 'import unstructured, unstructured_inference, fastapi, en_core_web_sm']).status === 0;

const install = async () => {
  if (isInstalled()) return;
  process.stdout.write(`Installing the library into ${cache} (about a minute and 1 GB, once) ...\n`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(python)) await runCommand('python3', ['-m', 'venv', cache]);
  await runCommand(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES]);
  await runCommand(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', PACKAGE_ALONE]);
  await runCommand(python, [join(here, 'language_model.py')]);
};

const answers = async (url) => (await fetch(url).catch(() => undefined))?.ok === true;

const startServer = async (port) => {
  const args = ['-m', 'uvicorn', 'server:app', '--app-dir', here, '--host', '127.0.0.1', '--port', String(port)];
  const env = { ...process.env, DO_NOT_TRACK: '1', HF_HUB_OFFLINE: '1', PYTHONDONTWRITEBYTECODE: '1' };
  const server = spawn(python, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  for (let second = 0; second < 120 && server.exitCode === null; second += 1) {
    if (await answers(`http://127.0.0.1:${port}/healthcheck`)) return server;
    await pause(1_000);
  }
  server.kill();
  throw new Error('The server of the library did not start; what it said stands above.');
};

export const run = async () => {
  await install();
  const port = await freePort();
  const server = await startServer(port);
  try {
    const args = [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), 'test/unstructured-library.spec.ts'];
    const { status } = spawnSync(process.execPath, args, {
      cwd: join(root, 'libs', 'extraction'),
      env: { ...process.env, ACERVO_UNSTRUCTURED_URL: `http://127.0.0.1:${port}` },
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  } finally {
    server.kill();
  }
};
