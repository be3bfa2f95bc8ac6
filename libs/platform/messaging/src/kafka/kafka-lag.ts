import type { Admin } from 'kafkajs';

/** The number of messages per topic that a group has not received yet. */
export const lagOf = async (
  admin: Admin,
  groupId: string,
  topics: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const committedOffsets = await admin.fetchOffsets({ groupId, topics: [...topics] });
  const lag = new Map<string, number>();
  for (const { topic, partitions } of committedOffsets) {
    const committed = new Map(partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    const ends = await admin.fetchTopicOffsets(topic);
    const behind = ends.map(({ partition, high, low }) => {
      const at = committed.get(partition) ?? -1;
      return Math.max(0, Number(high) - Math.max(at, Number(low)));
    });
    lag.set(
      topic,
      behind.reduce((sum, each) => sum + each, 0),
    );
  }
  return lag;
};
