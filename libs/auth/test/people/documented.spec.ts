import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { peopleRoutes } from './routes';

const reference = readFileSync(join(__dirname, '../../../../docs/internal-routes.md'), 'utf8');

describe('the reference of the internal routes', () => {
  it('the reference lists exactly the routes of people with their status', () => {
    const documented = [...reference.matchAll(/^\| (GET|POST|PUT|DELETE) +\| (\/\S+) +\| ([ARS]) +\| (\d{3}) /gm)]
      .map(([, method, path, who, status]) => [method, path, who === 'S', Number(status)])
      .filter(([, path]) => /^\/(usuarios|roles|funciones)/.test(String(path)));
    const declared = peopleRoutes.map(({ method, path, by, status }) => [
      method,
      path.replace(/:(\w+)/g, '{$1}'),
      by === 'system',
      status,
    ]);
    expect(documented.map(String).toSorted()).toEqual(declared.map(String).toSorted());
  });
});
