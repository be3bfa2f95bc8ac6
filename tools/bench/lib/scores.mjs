// Quality of rankings. Means cover the queries with a relevant document; a query without an answer counts 0.

const gainAt = (gain, place) => Math.max(0, gain) / Math.log2(place + 2);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** nDCG@10 with linear gain and Recall@100 of one ranking of document ids under its judgements (id to score). */
export const scoresOf = (ranking, judged) => {
  const gains = [...judged.values()].filter((score) => score > 0).sort((a, b) => b - a);
  const found = ranking.map((id) => judged.get(id) ?? 0);
  return {
    ndcg: sum(found.slice(0, 10).map(gainAt)) / sum(gains.slice(0, 10).map(gainAt)),
    recall: found.slice(0, 100).filter((score) => score > 0).length / gains.length,
  };
};

/** The means of scores of many rankings. */
export const meanOf = (scores) => ({
  ndcg: sum(scores.map(({ ndcg }) => ndcg)) / scores.length,
  recall: sum(scores.map(({ recall }) => recall)) / scores.length,
  queries: scores.length,
});
