import type { Embedder } from './embedder';
import { cosine } from './vectors';

/** Unrelated sentences, in both languages. */
const UNRELATED = [
  'La cuota anual de la comunidad de regantes se paga antes del treinta de junio en la caja rural.',
  'The frozen valve of the pump station must be thawed with warm water, never with a flame.',
  'El consejo de administración aprobó las cuentas del ejercicio y el reparto de dividendos.',
  'Migratory birds find their way by the stars and by the magnetic field of the earth.',
  'Para la masa se mezclan trescientos gramos de harina con levadura y un poco de sal.',
  'The compiler reports an error when a variable is used before it has been assigned.',
  'El delantero marcó dos goles en la segunda parte y el equipo subió al tercer puesto.',
  'Patients with high blood pressure should have their kidneys examined once a year.',
  'La orquesta estrenó anoche una sinfonía escrita durante el exilio del compositor.',
  'Tenants must give three months of notice in writing before they leave the flat.',
  'El volcán expulsó ceniza durante semanas y los vuelos quedaron suspendidos.',
  'Merchants of the fourteenth century carried wool and silver over the mountain passes.',
  'Se ruega a los alumnos que devuelvan los libros prestados antes de las vacaciones.',
  'The rocket reached its orbit nine minutes after the launch and released two satellites.',
  'Las abejas mantienen la colmena a treinta y cinco grados durante todo el invierno.',
  'A used car should be inspected for rust, worn tyres and leaks of oil.',
] as const;

/** The mean cosine of unrelated passages under an embedder: it has similarity 0. */
export const measureFloor = async (embedder: Embedder, passages: readonly string[] = UNRELATED): Promise<number> => {
  const vectors = await embedder.embed(passages, 'passage');
  const cosines = vectors.flatMap((a, index) => vectors.slice(index + 1).map((b) => cosine(a, b)));
  return cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
};
