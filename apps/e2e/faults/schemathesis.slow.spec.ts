import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../harness/program';

/** The bench sends requests for a given time; this short form sends the same requests on every machine. */
const SHORT = { minutes: 0.7, examples: 2, seed: 1, same: true, canaryEvery: 8 };

describe('the published description', () => {
  it('every generated request gets an answer of the published schema', async () => {
    if (process.env['ACERVO_WITHOUT_SCHEMATHESIS'] !== undefined) {
      process.stdout.write('Schemathesis was left out, as asked for.\n');
      return;
    }
    const bench = pathToFileURL(join(repository, 'tools', 'bench', 'schemathesis.mjs')).href;
    const script = `import(${JSON.stringify(bench)}).then(({ run }) => run(${JSON.stringify(SHORT)}))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (printed = (printed + data.toString()).slice(-20_000)));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(printed);
    expect(printed).toContain('all held: 0 answers of 5xx, 0 that differ from the description, 0 echoed canaries');
  }, 600_000);
});
