import type { Admin } from 'kafkajs';

/** How many messages of each topic a group has not taken yet. */
export const lagOf = async (
  admin: Admin,
  groupId: string,
  topics: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const taken = await admin.fetchOffsets({ groupId, topics: [...topics] });
  const lag = new Map<string, number>();
  for (const { topic, partitions } of taken) {
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
