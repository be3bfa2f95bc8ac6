import { NotFound } from '@acervo/contracts';
import { answeringFunction } from './answering-function';

const having = (...functions: string[]) => ({ functions });

describe('the function of a question', () => {
  it('a caller with both asks as CHAT-USER', () => {
    expect(answeringFunction(having('CHAT-FINAL-USER', 'CHAT-USER'), undefined)).toBe('CHAT-USER');
  });
  it('a caller with one of them asks as that one', () => {
    expect(answeringFunction(having('CHAT-FINAL-USER'), undefined)).toBe('CHAT-FINAL-USER');
  });
  it('a caller who only reads documents asks as CHAT-USER', () => {
    expect(answeringFunction(having('DOCUMENTS'), undefined)).toBe('CHAT-USER');
  });
  it('a function that is named is one that the caller has', () => {
    expect(answeringFunction(having('CHAT-USER', 'CHAT-FINAL-USER'), 'CHAT-FINAL-USER')).toBe('CHAT-FINAL-USER');
    for (const named of ['CHAT-USER', 'DOCUMENTS', 'NONE'])
      expect(() => answeringFunction(having('DOCUMENTS'), named)).toThrow(NotFound);
  });
});
