import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbers } from '../texts.mjs';
import { countGrowth, trendOf, verdictOn } from './trend.mjs';

const HOUR = 3_600_000;
const next = numbers(3);
/** Samples over some hours; `of` gives the value at an hour, to which noise is added. */
const series = (hours, of, noise = 2) =>
  Array.from({ length: 200 }, (_, index) => {
    const hour = (hours * index) / 200;
    return { at: hour * HOUR, value: of(hour) + noise * (next() - 0.5) };
  });

test('the slope is found within its bounds, whatever single samples do', () => {
  const samples = series(10, (hour) => 200 + 4 * hour);
  for (const index of [20, 90, 150]) samples[index].value = 900;
  const { slope, low, high, level } = trendOf(samples);
  assert.ok(Math.abs(level - 220) < 3);
  assert.ok(low < slope && slope < high);
  assert.ok(Math.abs(slope - (100 * 4) / level) < 0.3, String(slope));
});

test('level memory does not grow, over hours or minutes', () => {
  for (const hours of [24, 0.5]) assert.equal(verdictOn(series(hours, () => 200)).grows, false);
});

test('a leak grows, over hours and minutes', () => {
  for (const hours of [24, 0.5]) assert.equal(verdictOn(series(hours, (hour) => 200 + 40 * hour)).grows, true);
});

test('memory that levels off in a short run does not count as a leak', () => {
  const warming = (hour) => 200 + 60 * (1 - Math.exp(-hour * 10));
  const { grows, levelsOff, isShort } = verdictOn(series(0.5, warming));
  assert.deepEqual([grows, levelsOff, isShort], [false, true, true]);
});

test('a long run fails by its slope even where it slows down', () => {
  assert.equal(verdictOn(series(24, (hour) => 200 + 80 * Math.sqrt(hour))).grows, true);
});

test('few samples and few minutes prove nothing', () => {
  assert.equal(verdictOn(series(0.05, (hour) => 200 + 400 * hour)).grows, undefined);
  const few = series(1, (hour) => 100 * hour).filter((_, index) => index % 20 === 0);
  assert.equal(verdictOn(few).grows, false);
  assert.equal(verdictOn([]).grows, undefined);
});

test('counts grow beyond a share and a least number', () => {
  const values = (of) => Array.from({ length: 20 }, (_, index) => of(index));
  assert.equal(countGrowth(values((index) => 100 + index * 10)).grows, true);
  assert.equal(countGrowth(values((index) => 1_000 + index)).grows, false);
  assert.equal(countGrowth(values((index) => index)).grows, false);
  assert.equal(countGrowth([5, 9]).grows, false);
});
