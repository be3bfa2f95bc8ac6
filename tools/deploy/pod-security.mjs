// The level `restricted` of the Pod Security Standards of Kubernetes, for pods of a render: an API server that enforces
// it would refuse what is found here.

/** Kinds of volumes that `restricted` admits. */
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const SECCOMP = ['RuntimeDefault', 'Localhost'];
const HOST = ['hostNetwork', 'hostPID', 'hostIPC'];

const podOf = ({ kind, spec }) => (kind === 'Pod' ? spec : spec?.template?.spec);

const containersOf = (pod) => ['initContainers', 'containers', 'ephemeralContainers'].flatMap((key) => pod[key] ?? []);

const podProblems = (pod) => [
  ...HOST.filter((key) => pod[key] === true).map((key) => `has ${key}`),
  ...(pod.volumes ?? [])
    .filter((volume) => !Object.keys(volume).some((key) => VOLUMES.includes(key)))
    .map(({ name }) => `mounts the volume ${name} of a kind that is not admitted`),
  ...(pod.securityContext?.sysctls?.length > 0 ? ['sets sysctls'] : []),
];

/** What holds for a container: its own settings win over those of the pod. */
const containerProblems = (pod, { name, ports = [], securityContext: settings = {} }) => {
  const of = (key) => settings[key] ?? pod.securityContext?.[key];
  const { drop = [], add = [] } = settings.capabilities ?? {};
  const problems = {
    'is privileged': settings.privileged === true,
    'may escalate privileges': settings.allowPrivilegeEscalation !== false,
    'keeps capabilities': !drop.includes('ALL'),
    'adds capabilities': add.some((each) => each !== 'NET_BIND_SERVICE'),
    'may run as root': of('runAsNonRoot') !== true || of('runAsUser') === 0,
    'has no seccomp profile': !SECCOMP.includes(of('seccompProfile')?.type),
    'opens ports of its node': ports.some(({ hostPort = 0 }) => hostPort !== 0),
    'unmasks /proc': (settings.procMount ?? 'Default') !== 'Default',
  };
  return Object.entries(problems)
    .filter(([, isFound]) => isFound)
    .map(([problem]) => `container ${name} ${problem}`);
};

/** @param objects parsed manifests */
export const podSecurityProblems = (objects) =>
  objects.flatMap((object) => {
    const pod = podOf(object);
    if (pod?.containers === undefined) return [];
    const problems = [...podProblems(pod), ...containersOf(pod).flatMap((each) => containerProblems(pod, each))];
    return problems.map((problem) => `${object.kind}/${object.metadata.name}: ${problem}.`);
  });
