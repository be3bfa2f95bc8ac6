import { GroupTokens } from './group-tokens';

describe('the tokens of groups', () => {
  let now = 0;
  const tokens = (): GroupTokens => new GroupTokens(600, () => now);
  beforeEach(() => (now = 0));

  it('a group without tokens learns how long it has to wait', () => {
    const limits = tokens();
    limits.reserve('G1', 600)(600);
    expect(() => limits.reserve('G1', 60)).toThrow(expect.objectContaining({ reason: 'QUOTA', retryAfterMs: 6_000 }));
    now = 6_000;
    expect(() => limits.reserve('G1', 60)).not.toThrow();
    expect(() => limits.reserve('G2', 600)).not.toThrow();
  });

  it('an answer gives back what it did not take, once', () => {
    const limits = tokens();
    const settle = limits.reserve('G1', 500);
    settle(100);
    settle(0);
    expect(() => limits.reserve('G1', 500)).not.toThrow();
    expect(() => limits.reserve('G1', 1)).toThrow('limit of tokens');
  });

  it('a request above the limit of a minute passes once, then waits for all of it', () => {
    const limits = tokens();
    limits.reserve('G1', 6_000)(6_000);
    now = 60_000;
    expect(() => limits.reserve('G1', 1)).toThrow('limit of tokens');
  });

  it('a group with all its tokens leaves no trace', () => {
    const limits = tokens();
    limits.reserve('G1', 10)(10);
    now = 60_000;
    limits.reserve('G2', 10)(10);
    expect(limits.size).toBe(1);
  });
});
