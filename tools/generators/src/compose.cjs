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
      - kafka_${name}
      - ${name}_event_key
      - event_keys
      - tls_ca
      - redis
      - otlp_headers
    environment:
      <<: *environment
      ACERVO_KAFKA_USER: ${name}
      ACERVO_KAFKA_PASSWORD_FILE: /run/secrets/kafka_${name}
      ACERVO_EVENT_KEY_FILE: /run/secrets/${name}_event_key
      ACERVO_DATABASE_APP_PASSWORD_FILE: /run/secrets/${name}_app
      ACERVO_DATABASE_RELAY_PASSWORD_FILE: /run/secrets/${name}_relay
`;

/** The file with the container of a service, and with its secrets where the programs that share them read them. */
const composed = (text, name, application) => {
  const isMissing = (secret) => !text.includes(`\n  ${secret}: {`);
  const roles = ['owner', 'app', 'reconciler', 'relay'].map((role) => `${name}_${role}`).filter(isMissing);
  const ofEvents = [`kafka_${name}`, `${name}_event_key`].filter(isMissing);
  const secrets = [...roles, ...ofEvents].map(
    (secret) => `\n  ${secret}: { file: '\${ACERVO_SECRETS:-./secrets}/${secret}' }`,
  );
  const listed = (names) => names.map((secret) => `\n      - ${secret}`).join('');
  return [
    ['\nsecrets:', secrets.join('')],
    ['\n    # Kafka with the rights of each service on them.\n    secrets:', listed(roles)],
    ['\n    secrets:\n      - kafka', listed(ofEvents.filter((secret) => secret.startsWith('kafka_')))],
    ['\n\n# A file each;', `\n${containerOf(name, application).trimEnd()}`, 'before'],
  ].reduce((written, [anchor, more, where]) => inserted(FILE, written, anchor, more, where), text);
};

module.exports = { composed };
