// A catcher of mail: every mail becomes a file.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { converse } from '../net.mjs';

const PROGRAM = fileURLToPath(new URL('../mail-catcher.mjs', import.meta.url));

export const mail = {
  name: 'mail',
  what: 'a catcher of mail',
  ports: ['mail'],
  secrets: [],
  install: () => Promise.resolve(PROGRAM),
  command: ({ installed, directory, ports }) => ({
    command: process.execPath,
    args: [installed, String(ports.mail), join(directory, 'letters')],
  }),
  answers: ({ ports }) => converse(ports.mail, '', /^220 /),
  variables: ({ directory, ports }) => ({
    ACERVO_SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
    ACERVO_STACK_LETTERS: join(directory, 'letters'),
  }),
};
