import { createHash } from 'node:crypto';
import { agentPrompt } from './agent-prompt';
import { productPrompts } from './product-prompts';

const part = (code: string, systemPrompt: string) => ({ code, name: `Nombre de ${code}`, systemPrompt });
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('the prompt of an agent', () => {
  const prompts = { group: part('G1', 'Trata de usted.'), entity: part('E1', 'Sé breve.') };

  it('product, group and entity follow one another', () => {
    const { systemPrompt, layers } = agentPrompt('user_chat', prompts);
    const texts = [productPrompts.user_chat.text, 'Trata de usted.', 'Sé breve.'];
    expect(systemPrompt).toBe(texts.join('\n\n'));
    expect(layers).toEqual([
      { code: 'PRODUCT', name: 'user_chat, version 1', sha256: sha256(texts[0] ?? '') },
      { code: 'GROUP', name: 'Nombre de G1', sha256: sha256('Trata de usted.') },
      { code: 'ENTITY', name: 'Nombre de E1', sha256: sha256('Sé breve.') },
    ]);
  });

  it('the hash is recomputed from the layers as documented', () => {
    const { systemPromptHash, layers } = agentPrompt('user_chat', prompts);
    expect(systemPromptHash).toBe(sha256(JSON.stringify(layers.map((layer) => [layer.code, layer.sha256]))));
  });

  it('a text that is blank or absent has no layer', () => {
    const { systemPrompt, layers } = agentPrompt('support_chat', { group: part('G1', ' \n'), entity: null });
    expect(systemPrompt).toBe(productPrompts.support_chat.text);
    expect(layers.map(({ code }) => code)).toEqual(['PRODUCT']);
  });

  it('the same text of another part gives another hash', () => {
    const ofGroup = agentPrompt('user_chat', { group: part('X', 'Sé breve.'), entity: part('X', '') });
    const ofEntity = agentPrompt('user_chat', { group: part('X', ''), entity: part('X', 'Sé breve.') });
    expect(ofGroup.systemPromptHash).not.toBe(ofEntity.systemPromptHash);
  });
});

describe('the texts of the product', () => {
  it('a changed text raises its version', () => {
    const texts = Object.entries(productPrompts).map(([profile, { version, text }]) => [
      `${profile} ${version}`,
      sha256(text).slice(0, 16),
    ]);
    expect(Object.fromEntries(texts)).toEqual({
      'user_chat 1': '7b1e8c61d81075ae',
      'support_chat 1': 'e6037551c9dcc2c4',
    });
  });
});
