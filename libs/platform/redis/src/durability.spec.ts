import { durabilityProblems } from './index';

const info = (aof: number, policy: string): string =>
  `# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:${policy}\r\n# Persistence\r\naof_enabled:${aof}\r\n`;

describe('a Redis server', () => {
  it('a server with an append-only file and without eviction is accepted', () => {
    expect(durabilityProblems(info(1, 'noeviction'))).toEqual([]);
  });
  it('a server that may lose data is refused with required settings', () => {
    expect(durabilityProblems(info(0, 'noeviction'))).toEqual(['set "appendonly yes"']);
    expect(durabilityProblems(info(1, 'allkeys-lru'))).toEqual(['set "maxmemory-policy noeviction"']);
    expect(durabilityProblems('')).toHaveLength(2);
  });
});
