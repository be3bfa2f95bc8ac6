// The entries of a service in docker/compose.yaml.
const { inserted } = require('./lib.cjs');

const FILE = 'docker/compose.yaml';

const containerOf = (name, application) => `
  ${name}:
    <<: *service
    build:
      {
        context: ..,
        dockerfile: docker/Dockerfile,
        args: { SERVICE: ${application}, COMMIT: '\${ACERVO_COMMIT:-}', BUILT_AT: '\${ACERVO_BUILT_AT:-}' },
      }
    image: acervo/${application}
    secrets:
      - ${name}_app
      - ${name}_relay
      - kafka
      - tls_ca
      - redis
      - otlp_headers
    environment:
      <<: *environment
      ACERVO_DATABASE_APP_PASSWORD_FILE: /run/secrets/${name}_app
      ACERVO_DATABASE_RELAY_PASSWORD_FILE: /run/secrets/${name}_relay
`;

/** The file with the container of a service, and with the passwords of the roles of its schema. */
const composed = (text, name, application) => {
  const roles = ['owner', 'app', 'reconciler', 'relay'].map((role) => `${name}_${role}`);
  const missing = roles.filter((role) => !text.includes(`\n  ${role}: {`));
  const secrets = missing.map((role) => `\n  ${role}: { file: '\${ACERVO_SECRETS:-./secrets}/${role}' }`);
  const passwords = missing.map((role) => `\n      - ${role}`);
  return [
    ['\nsecrets:', secrets.join('')],
    [
      '\n    # It makes the roles, so that it has the passwords of all of them, and of the one that may make roles.\n    secrets:',
      passwords.join(''),
    ],
    ['\n\n# A file each;', `\n${containerOf(name, application).trimEnd()}`, 'before'],
  ].reduce((written, [anchor, more, where]) => inserted(FILE, written, anchor, more, where), text);
};

module.exports = { composed };
