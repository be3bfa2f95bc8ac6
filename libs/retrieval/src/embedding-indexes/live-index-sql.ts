/** The embedding index that a group searches: a scalar. */
export const liveIndexSql = (group: string): string =>
  `(select e.space_id from retrieval.embedding_space e where e.group_id = ${group} and e.state = 'LIVE')`;
