import { join } from 'node:path';
import { type AuditVerdict, verifyAudit } from '@acervo/contracts';
import { WorkScope } from '@acervo/rbac';
import { Installation } from '../harness/installation';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

describe('audit anchors of services in processes of their own', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let installation: Installation;

  beforeAll(async () => {
    write(folder, { 'uno.txt': 'El puente viejo se cierra por obras.' });
    installation = await Installation.start({ folder, data, settings: { ACERVO_AUDIT_ANCHOR_SECONDS: '1' } });
    await installation.running.ingested;
  });
  afterAll(async () => {
    await installation.stop();
    place.remove();
  });

  const verdict = (): Promise<AuditVerdict> => {
    const scope = new WorkScope(installation.scope.groupId, 'standalone', 'test');
    return installation.running.calls.send(verifyAudit, scope, {});
  };
  const verify = async (): Promise<{ code: unknown; printed: string }> => {
    const command = Program.run({ folder: null, data, port: await freePort(), commands: [{ name: 'verify-audit' }] });
    return { code: await command.ended, printed: command.printed };
  };

  it('every record is anchored, and a cut at the end is found', async () => {
    const created = await installation.ask('POST', '/v1/operations/entities.create:execute', {
      input: { code: 'E7', name: 'Siete' },
    });
    expect(created.status).toBe(200);
    await until('the last record is anchored', async () => {
      const { links, lastAnchor } = await verdict();
      return links > 1 && lastAnchor?.number === links;
    });
    expect(await verify()).toEqual({
      code: 0,
      printed: expect.stringMatching(/^Audit: 1 signed heads in the object store agree; records up to \d+ /m) as string,
    });

    await installation.change(
      'operations',
      `delete from operations.audit_record r using operations.audit_head h
       where r.group_id = $1 and h.group_id = $1 and r.number = h.number`,
    );
    await installation.change(
      'operations',
      `update operations.audit_head h set (number, mac) = (select r.number, r.mac from operations.audit_record r
         where r.group_id = $1 order by r.number desc limit 1) where h.group_id = $1`,
    );
    const { code, printed } = await verify();
    expect(code).toBe(1);
    expect(printed).toMatch(/^Audit: records (\d+) to \1 are missing; no record is confirmed\./m);
  });
});
