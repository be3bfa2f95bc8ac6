import 'reflect-metadata';
import type { ServiceName } from '@acervo/contracts';
import { PlatformModule } from './platform.module';

describe('the modules of a service', () => {
  it('a service without a row in the table does not start, and is named', () => {
    const forService = (name: string) => PlatformModule.forService({ name: name as ServiceName, config: [] });
    expect(() => forService('ledger')).toThrow(/no row of ledger; add \{ name: 'ledger', …/);
    expect(() => forService('auth')).not.toThrow();
  });
});
