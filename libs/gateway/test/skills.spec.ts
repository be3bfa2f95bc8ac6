import request from 'supertest';
import { getSkill, listSkills, runSkill, type Skill, SkillList, SkillRun } from '@acervo/contracts';
import type { HttpApp } from '@acervo/platform-http';
import { EarlierSkillsController } from '../src/skills/earlier-skills.controller';
import { SkillsController } from '../src/skills/skills.controller';
import { gatewayOf, StubCalls } from './support';

const skill: Skill = {
  ...{ code: 'KEY-DATES', name: 'Fechas clave', target: 'DOCUMENT', requiresModel: false, version: '1' },
  description: 'Las fechas del documento, cada una con la frase en la que figura.',
  outputSchema: { type: 'object' },
};
const run = {
  ...{ runId: '019abcde-0000-7000-8000-000000000001', skillCode: 'KEY-DATES', status: 'PENDIENTE' },
  ...{ documentCode: 'D1', spaceId: null, documentCount: 1, createdAt: '2026-01-02T03:04:05.000Z' },
};

describe('skills in both languages', () => {
  const calls = new StubCalls();
  let gateway: HttpApp;
  beforeAll(async () => {
    gateway = await gatewayOf([SkillsController, EarlierSkillsController], calls);
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    calls.sent.length = 0;
    calls.answers.set(listSkills.code, Object.assign(new SkillList(), { skills: [skill] }));
    calls.answers.set(getSkill.code, skill);
    calls.answers.set(runSkill.code, Object.assign(new SkillRun(), run));
  });
  const get = (path: string): request.Test =>
    request(gateway.handler).get(path).set('Authorization', 'Bearer administrator');
  const post = (path: string, body: object): request.Test =>
    request(gateway.handler).post(path).set('Authorization', 'Bearer administrator').send(body);

  it('/v1 has English names, the earlier routes Spanish ones', async () => {
    const { body } = await get('/v1/skills/KEY-DATES').expect(200);
    expect(body).toMatchObject({ name: 'Key dates', output_schema: { type: 'object' }, requires_model: false });
    const earlier = await get('/habilidades').expect(200);
    expect(earlier.body).toEqual({
      habilidades: [
        { codigo: 'KEY-DATES', nombre: 'Fechas clave', descripcion: skill.description, objetivo: 'DOCUMENT' },
      ],
    });
  });

  it('both routes queue the same run', async () => {
    const { body } = await post('/v1/skills/KEY-DATES/run', { document_code: 'D1' }).expect(200);
    expect(body).toMatchObject({ run_id: run.runId, status: 'PENDING', document_code: 'D1', space_id: null });
    const earlier = await post('/habilidades/KEY-DATES/ejecutar', { id_espacio: 7 }).expect(200);
    expect(earlier.body).toEqual({ id_ejecucion: run.runId, estado: 'PENDIENTE' });
    expect(calls.sent.map(({ request: input }) => input)).toEqual([
      { skillCode: 'KEY-DATES', documentCode: 'D1' },
      { skillCode: 'KEY-DATES', spaceId: 7 },
    ]);
  });
});
