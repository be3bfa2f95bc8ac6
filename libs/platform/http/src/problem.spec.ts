import { InvalidInput } from '@acervo/contracts';
import { internalBody, problemOf, publicBody } from './problem';

it('an internal answer has the names of its details in Spanish', () => {
  const problem = problemOf(new InvalidInput({ missing: ['nombre'], invalid: ['codigo_rol'], unknown: 2 }));
  expect(internalBody(problem, 'r-1').detalles).toEqual({
    ...{ campos_ausentes: ['nombre'], campos_no_validos: ['codigo_rol'], campos_desconocidos: 2 },
  });
  expect(publicBody(problem, 'r-1').details).toEqual({
    ...{ missing_fields: ['nombre'], invalid_fields: ['codigo_rol'], unknown_field_count: 2 },
  });
});
