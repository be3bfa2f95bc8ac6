import { durabilityProblems } from './index';

const info = (aof: number, policy: string): string =>
  `# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:${policy}\r\n# Persistence\r\naof_enabled:${aof}\r\n`;

describe('a Redis server', () => {
  it('is fit when it keeps an append-only file and throws nothing out', () => {
    expect(durabilityProblems(info(1, 'noeviction'))).toEqual([]);
  });
  it('is told what to set when it is not', () => {
    expect(durabilityProblems(info(0, 'noeviction'))).toEqual(['set "appendonly yes"']);
    expect(durabilityProblems(info(1, 'allkeys-lru'))).toEqual(['set "maxmemory-policy noeviction"']);
    expect(durabilityProblems('')).toHaveLength(2);
  });
});
