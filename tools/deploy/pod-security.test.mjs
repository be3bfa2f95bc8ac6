import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { objectsOf, overlay } from './charts.mjs';
import { podSecurityProblems } from './pod-security.mjs';

const rendered = (name) => [...objectsOf(readFileSync(overlay(name, 'acervo.yaml'), 'utf8')).values()];

/** Changes of the pod of the gateway, and what has to be said of each. */
const FAULTS = [
  [(pod) => (pod.containers[0].securityContext.privileged = true), 'container gateway is privileged'],
  [
    (pod) => delete pod.containers[0].securityContext.allowPrivilegeEscalation,
    'container gateway may escalate privileges',
  ],
  [
    (pod) => (pod.containers[0].securityContext.capabilities = { drop: ['NET_RAW'] }),
    'container gateway keeps capabilities',
  ],
  [(pod) => (pod.securityContext.runAsUser = 0), 'container gateway may run as root'],
  [(pod) => delete pod.securityContext.seccompProfile, 'container gateway has no seccomp profile'],
  [
    (pod) => pod.volumes.push({ name: 'host', hostPath: { path: '/' } }),
    'mounts the volume host of a kind that is not admitted',
  ],
  [(pod) => (pod.hostNetwork = true), 'has hostNetwork'],
];

test('each planted fault of a pod is found, alone', () => {
  for (const [plant, message] of FAULTS) {
    const objects = rendered('base');
    const gateway = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'gateway');
    plant(gateway.spec.template.spec);
    assert.deepEqual(podSecurityProblems(objects), [`Deployment/gateway: ${message}.`]);
  }
});
