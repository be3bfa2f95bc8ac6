import { ProvingGround } from './ground';
import { withoutRowSecurity } from './row-security';
import { Statements, withoutAny } from './statements';

const statements = Statements.watch();
it('probe', async () => {
  const proving = await ProvingGround.open();
  const ops = proving.operations.filter(({ name, writes }) => !writes || /^(roles|users|documents|areas|entities)\.(update|delete|add)/.test(name));
  const wrapped = ops.map((o) => ({ ...o, ask: (...g: Parameters<typeof o.ask>) => statements.during(o.name, () => o.ask(...g)) }));
  const off = await withoutRowSecurity(proving.installation, () => proving.tryAll(wrapped));
  process.stdout.write(`PREDICATES ALONE: ${off.wrong.length} of ${off.pairs} pairs, ${off.controls} controls\n${off.wrong.join('\n')}\n`);
  const secured = await statements.mutated(withoutAny, () => proving.tryAll(wrapped));
  process.stdout.write(`RLS ALONE: ${secured.wrong.length} in ${statements.seen.size} statements\n${secured.wrong.join('\n')}\n`);
  const none = await withoutRowSecurity(proving.installation, () => statements.mutated(withoutAny, () => proving.tryAll(wrapped)));
  process.stdout.write(`NEITHER: ${none.wrong.length}\n${none.wrong.slice(0, 10).join('\n')}\n`);
  await proving.close();
}, 900_000);
