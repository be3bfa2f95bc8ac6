import type { Embedder } from './embedder';
import { cosine } from './vectors';

/** Sentences that mean the same and share no word, by language: an embedder of one of the two knows its list. */
const SAME_MEANING: readonly (readonly (readonly [string, string])[])[] = [
  [
    ['The doctor examined the sick child.', 'A physician looked at an ill youngster.'],
    ['Prices of fuel have risen sharply.', 'Petrol costs much more than before.'],
    ['The lawsuit was dismissed by the judge.', 'A court threw out their legal claim.'],
    ['Snow closed the mountain road.', 'Winter weather blocked a route through these hills.'],
    ['He repaired the broken bicycle.', 'My cycle got fixed.'],
    ['The company fired half of its workers.', 'One in two employees lost their job at that firm.'],
    ['She bought a small house near the beach.', 'Her new home is tiny and close to a coast.'],
    ['The team won the final match.', 'Our football players became champions.'],
    ['The baker sells fresh bread every morning.', 'Warm loaves can be purchased at dawn.'],
    ['Students must hand in their essays on Friday.', 'Papers of all pupils are due before a weekend.'],
    ['The aircraft landed safely in spite of the storm.', 'Despite strong wind, a plane touched down unharmed.'],
    ['Bees make honey from flowers.', 'These insects turn nectar into something sweet.'],
  ],
  [
    ['El médico examinó al niño enfermo.', 'Un doctor atendió a una criatura con fiebre.'],
    ['El precio de la gasolina ha subido mucho.', 'Llenar un depósito con combustible cuesta más que antes.'],
    ['El juez rechazó la demanda.', 'Un tribunal desestimó su reclamación.'],
    ['La nieve cortó la carretera del puerto.', 'Por culpa de un temporal no se puede cruzar esa sierra.'],
    ['Arregló la bicicleta rota.', 'Las dos ruedas averiadas ya funcionan.'],
    ['La empresa despidió a la mitad de sus trabajadores.', 'Muchos empleados perdieron un puesto en esa compañía.'],
    ['Compró una casa pequeña cerca de la playa.', 'Su nueva vivienda es diminuta y está junto al mar.'],
    ['El equipo ganó el partido decisivo.', 'Nuestros futbolistas son campeones.'],
    ['La panadería vende barras recién hechas.', 'Cada mañana sale pan caliente del horno.'],
    ['Los alumnos deben entregar su redacción el viernes.', 'Cada estudiante presenta un trabajo esta semana.'],
    ['El avión aterrizó sin daños pese a la tormenta.', 'A pesar del viento, una aeronave tomó tierra sana y salva.'],
    ['Las abejas hacen miel con las flores.', 'Estos insectos convierten un néctar en algo dulce.'],
  ],
];

/** Mean reciprocal ranks that count as 0 and as 1. Vectors without meaning stay below the first one. */
const NONE = 0.5;
const FULL = 0.9;

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

/** The mean of 1 / rank, where each vector ranks the others' counterparts and its own. */
const reciprocalRank = (asked: readonly Float32Array[], answers: readonly Float32Array[]): number =>
  mean(
    asked.map((vector, place) => {
      const cosines = answers.map((answer) => cosine(vector, answer));
      return 1 / cosines.filter((value) => value >= (cosines[place] ?? 1)).length;
    }),
  );

/**
 * How far the vectors of an embedder hold meaning, from 0 (spellings at most) to 1: how well it finds the sentence that
 * says the same in other words, in English or Spanish, whichever it knows better. Any embedder answers it.
 * @throws the errors of an embedder
 */
export const measureMeaning = async (embedder: Embedder): Promise<number> => {
  const texts = SAME_MEANING.flatMap((pairs) => pairs.flat());
  const vectors = await embedder.embed(texts, 'query');
  let at = 0;
  const found = SAME_MEANING.map((pairs) => {
    const embedded = vectors.slice(at, (at += 2 * pairs.length));
    const [first, second] = [0, 1].map((side) => embedded.filter((_, index) => index % 2 === side));
    return mean([reciprocalRank(first ?? [], second ?? []), reciprocalRank(second ?? [], first ?? [])]);
  });
  return Math.min(1, Math.max(0, (Math.max(...found) - NONE) / (FULL - NONE)));
};
