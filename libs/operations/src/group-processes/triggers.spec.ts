import { type TriggerRequest, triggerOf } from './triggers';

const byType = { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE', period: null } as const;

describe('what starts a definition', () => {
  it('nothing starts one that says nothing', () => {
    expect(triggerOf({})).toEqual({ trigger: 'A_MANO', documentTypeCode: null, period: null });
  });
  it('another trigger begins without what the one before needed', () => {
    expect(triggerOf({ trigger: 'CALENDARIO', period: 'MES' }, byType)).toEqual({
      ...{ trigger: 'CALENDARIO', documentTypeCode: null, period: 'MES' },
    });
    expect(triggerOf({ trigger: 'A_MANO' }, byType).documentTypeCode).toBeNull();
    expect(triggerOf({ documentTypeCode: 'ACT' }, byType)).toEqual({ ...byType, documentTypeCode: 'ACT' });
  });
  it.each<[string, TriggerRequest]>([
    ['TYPE_MISSING', { trigger: 'DOCUMENTO_CLASIFICADO' }],
    ['TYPE_WITHOUT_TRIGGER', { documentTypeCode: 'LEASE' }],
    ['PERIOD_MISSING', { trigger: 'CALENDARIO' }],
    ['PERIOD_WITHOUT_TRIGGER', { trigger: 'DOCUMENTO_CLASIFICADO', documentTypeCode: 'LEASE', period: 'DIA' }],
  ])('%s is refused', (reason, request) => {
    expect(() => triggerOf(request)).toThrow(expect.objectContaining({ details: expect.objectContaining({ reason }) }));
  });
});
