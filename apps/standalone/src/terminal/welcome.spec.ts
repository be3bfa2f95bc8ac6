import { printKey, printWelcome } from './welcome';

const group = {
  ...{ created: true, groupId: 'g', groupCode: 'G1', entityCode: 'E1', apiKey: null },
  administrator: 'admin@acervo.local',
};

describe('the welcome', () => {
  it('a first start prints the welcome with its key in one write', () => {
    const writes: string[] = [];
    printWelcome((text) => writes.push(text), { port: 8080, group, apiKey: 'acv_1', keyRate: 6_000 });
    expect(writes.map((text) => text.split('\n'))).toEqual([
      [
        '',
        'Acervo is ready at http://localhost:8080 (reference: http://localhost:8080/docs)',
        'Administrator admin@acervo.local, group G1.',
        'API key, shown this once:  acv_1',
        'Each key may send 6,000 requests a minute; ACERVO_KEY_RATE changes that (docs/configuration.md).',
        'Search in a browser: http://localhost:8080/ asks for the key once. Or try:',
        "  curl -s http://localhost:8080/v1/documents/search -H 'Authorization: Bearer acv_1' \\",
        `    -H 'Content-Type: application/json' -d '{"query": "agua", "limit": 3}'`,
        '',
      ],
    ]);
  });

  it('a later start without a new key prints none', () => {
    const writes: string[] = [];
    printWelcome((text) => writes.push(text), {
      ...{ port: 8080, apiKey: null, keyRate: 6_000 },
      group: { ...group, created: false },
    });
    printKey((text) => writes.push(text), group, null);
    expect(writes).toHaveLength(1);
    expect(writes[0]).not.toContain('acv_');
  });

  it('a new key for a known group is printed in one write', () => {
    const writes: string[] = [];
    printKey((text) => writes.push(text), { ...group, created: false }, 'acv_2');
    expect(writes).toEqual(['A new API key for the administrator.\nAPI key, shown this once:  acv_2']);
  });
});
