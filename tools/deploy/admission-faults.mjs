// What a render may wrongly say and its schemas admit: an API server has to refuse each.

const podOf = (object) => object.spec.template.spec;

/** `of` names the object, `plant` changes it, and `says` stands in what the server answers. */
export const FAULTS = [
  {
    of: 'Deployment/gateway',
    plant: (object) => (podOf(object).hostNetwork = true),
    says: 'violates PodSecurity "restricted:latest": host namespaces',
  },
  {
    of: 'Deployment/auth',
    plant: (object) => delete podOf(object).securityContext.seccompProfile,
    says: 'violates PodSecurity "restricted:latest": seccompProfile',
  },
  {
    of: 'Deployment/chat',
    plant: (object) => (podOf(object).containers[0].readonlyRootFilesystem = true),
    says: 'readonlyRootFilesystem',
  },
  {
    of: 'Deployment/retrieval',
    plant: (object) => (object.spec.selector.matchLabels['app.kubernetes.io/name'] = 'other'),
    says: '`selector` does not match template `labels`',
  },
  {
    of: 'Deployment/ingestion',
    plant: (object) => (podOf(object).containers[0].volumeMounts[0].name = 'absent'),
    says: 'volumeMounts[0].name: Not found',
  },
  {
    of: 'Service/gateway',
    plant: (object) => (object.spec.ports[0].port = 70_000),
    says: 'must be between 1 and 65535',
  },
  {
    of: 'PodDisruptionBudget/gateway',
    plant: (object) => (object.spec.minAvailable = 1),
    says: 'minAvailable and maxUnavailable cannot be both set',
  },
  {
    of: 'HorizontalPodAutoscaler/auth',
    plant: (object) => (object.spec.minReplicas = 1_000),
    says: 'spec.maxReplicas',
  },
  {
    of: 'HTTPRoute/gateway',
    plant: (object) => (object.spec.rules[0].matches[0].path.type = 'Prefix'),
    says: 'Unsupported value: "Prefix"',
  },
  {
    of: 'ScaledObject/ingestion',
    plant: (object) => delete object.spec.scaleTargetRef,
    says: 'scaleTargetRef',
  },
];
