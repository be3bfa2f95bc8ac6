// What the charts know of each program, from the code and from docker/compose.yaml: nothing is listed twice.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import yaml from 'yaml';
import { root } from '../lib/options.mjs';

const MOUNTED = '/run/secrets/';
/** Ingestion works on documents; the others answer people, and their work follows. */
const SCALED_BY_WORK = ['ingestion'];
/** What the ports, probes and volumes of the chart are made for. */
const OF_THE_CHART = [
  'ACERVO_HOST',
  'ACERVO_PORT',
  'ACERVO_INTERNAL_HOST',
  'ACERVO_INTERNAL_PORT',
  'ACERVO_INTERNAL_TLS_CERTIFICATE',
  'ACERVO_INTERNAL_TLS_KEY',
  'ACERVO_WORK',
];

/** Addresses that are secret only with a password in them, which the chart refuses. */
const WITHOUT_PASSWORD = ['ACERVO_REDIS_URL'];

const isOfChart = ({ env }) => OF_THE_CHART.includes(env);
const isSecret = ({ env, secret }) => secret === true && !WITHOUT_PASSWORD.includes(env);
const namesOf = (settings) => [...new Set(settings.map(({ env }) => env))].toSorted();

/** By service: which secret file holds which setting, and the secrets that other settings name as files. */
const secretsOf = (compose, service) => {
  const { environment, secrets = [] } = compose.services[service];
  const named = Object.entries(environment).filter(([, value]) => String(value).startsWith(MOUNTED));
  const keyOf = (value) => String(value).slice(MOUNTED.length);
  const settings = named.filter(([name]) => name.endsWith('_FILE'));
  const secretSettings = Object.fromEntries(settings.map(([name, value]) => [name.slice(0, -5), keyOf(value)]));
  return {
    secretSettings,
    files: secrets.filter((key) => !Object.values(secretSettings).includes(key)),
  };
};

/** The services that a service exchanges requests with: calls, and the public keys of their senders. */
const peersOf = (calls, issuer, name) => {
  const names = calls.flatMap(({ owner, callers }) =>
    callers.includes(name) ? [owner] : owner === name ? [...callers] : [],
  );
  return new Set([...names, ...(name === issuer ? [] : [issuer])]);
};

/** The facts of the charts: what is known of each service, and the settings of all. */
export const programFacts = () => {
  const require = createRequire(join(root, 'apps', 'standalone', 'package.json'));
  require('reflect-metadata');
  const { installedServices } = require('@acervo/standalone');
  const { publicRanges } = require('@acervo/platform-egress');
  const { serviceTable, scopeIssuer, ...contracts } = require('@acervo/contracts');
  const compose = yaml.parse(readFileSync(join(root, 'docker', 'compose.yaml'), 'utf8'), { merge: true });
  const calls = Object.values(contracts).filter((each) => Array.isArray(each?.callers) && 'owner' in each);
  const ofName = new Map(installedServices.map((service) => [service.name, service]));
  const allSettings = installedServices.flatMap(({ settings }) => settings);
  const services = serviceTable.map(({ name, application, prefixes }) => {
    const { settings } = ofName.get(name);
    const open = settings.filter((setting) => !isSecret(setting));
    const peers = peersOf(calls, scopeIssuer, name);
    return [
      name,
      {
        application,
        prefixes,
        peers: serviceTable.map((row) => row.name).filter((peer) => peer !== name && peers.has(peer)),
        scalesByWork: SCALED_BY_WORK.includes(name),
        fetches: open.some(({ env }) => env === 'ACERVO_EGRESS_PORTS'),
        settings: namesOf(open.filter((setting) => !isOfChart(setting))),
        explicit: open.filter(({ explicit }) => explicit !== undefined).map(({ env }) => env),
        ...secretsOf(compose, name),
      },
    ];
  });
  return {
    known: namesOf(allSettings.filter((setting) => !isOfChart(setting))),
    secrets: namesOf(allSettings.filter(isSecret)),
    publicRanges: publicRanges(),
    services: Object.fromEntries(services),
  };
};
