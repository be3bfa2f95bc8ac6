import { failpointOfLife, Failpoints } from '../src';

describe('a failpoint', () => {
  it('ends the process at the passage that is named, at the first of several places, and only once', () => {
    let deaths = 0;
    const points = Failpoints.from('stage.extract:2,relay.before-move', () => (deaths += 1));
    points.hit('stage.extract');
    points.hit('consumer.before-inbox');
    expect(deaths).toBe(0);
    points.hit('stage.extract');
    expect(deaths).toBe(1);
    points.hit('stage.extract');
    expect(deaths).toBe(1);
    points.hit('relay.before-move');
    expect(deaths).toBe(2);
    Failpoints.from('after-commit.entities.delete', () => (deaths += 1)).hit('after-commit.entities.delete');
    expect(deaths).toBe(3);
  });

  it('is refused where there is no such place', () => {
    expect(() => Failpoints.from('nowhere')).toThrow(/no failpoint nowhere/);
    expect(() => Failpoints.from('before-commit.')).toThrow(/no failpoint/);
  });

  it('is meant for one life of one process, or of all', () => {
    const text = 'retrieval/stage.index:3,scan.batch;;root/relay.before-move:2';
    expect(failpointOfLife(text, 'retrieval', 1)).toBe('stage.index:3,scan.batch');
    expect(failpointOfLife(text, 'ingestion', 1)).toBe('scan.batch');
    expect(failpointOfLife(text, 'retrieval', 2)).toBeUndefined();
    expect(failpointOfLife(text, 'root', 3)).toBe('relay.before-move:2');
    expect(failpointOfLife(text, 'root', 4)).toBeUndefined();
    expect(failpointOfLife(undefined, 'root', 1)).toBeUndefined();
  });
});
