import { failpointOfLife, Failpoints } from '../src';

describe('a failpoint', () => {
  it('the named hit of the first failpoint ends the process once', () => {
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
    Failpoints.from('handled.user.deleted.v1', () => (deaths += 1)).hit('handled.user.deleted.v1');
    expect(deaths).toBe(4);
  });

  it('an unknown failpoint is refused', () => {
    expect(() => Failpoints.from('nowhere')).toThrow(/no failpoint nowhere/);
    expect(() => Failpoints.from('before-commit.')).toThrow(/no failpoint/);
  });

  it('a failpoint applies to one life of one process, or all', () => {
    const text = 'retrieval/stage.index:3,scan.batch;;root/relay.before-move:2';
    expect(failpointOfLife(text, 'retrieval', 1)).toBe('stage.index:3,scan.batch');
    expect(failpointOfLife(text, 'ingestion', 1)).toBe('scan.batch');
    expect(failpointOfLife(text, 'retrieval', 2)).toBeUndefined();
    expect(failpointOfLife(text, 'root', 3)).toBe('relay.before-move:2');
    expect(failpointOfLife(text, 'root', 4)).toBeUndefined();
    expect(failpointOfLife(undefined, 'root', 1)).toBeUndefined();
  });
});
