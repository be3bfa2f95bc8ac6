{{/* The pods of a service: `name`, `replicas` (0 where they are scaled), `resources`, `documents`, and `work`, the stages
that they work, of `root`. */}}
{{- define "acervo.deployment" -}}
{{- $root := .root -}}
{{- $v := include "acervo.values" $root | fromJson -}}
{{- $program := include "acervo.program" $root | fromJson -}}
{{- $settings := include "acervo.settings" $root | fromJson -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels: {{- include "acervo.labels" $root | nindent 4 }}
spec:
  {{- with .replicas }}
  replicas: {{ . }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels: {{- include "acervo.selectorOf" .name | nindent 6 }}
  template:
    metadata:
      labels: {{- include "acervo.labelsOf" (list $root .name) | nindent 8 }}
      annotations:
        # Settings are read once, at a start.
        acervo/settings: {{ $settings | toJson | sha256sum }}
    spec:
      serviceAccountName: {{ include "acervo.name" $root }}
      automountServiceAccountToken: false
      # Links to services are variables such as ACERVO_PORT=tcp://…, which a program refuses.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $v.terminationGraceSeconds }}
      {{- with include "acervo.pullSecrets" $root }}{{ . | nindent 6 }}{{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ $key }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "acervo.selectorOf" $.name | nindent 14 }}
        {{- end }}
      containers:
        - name: {{ $v.service }}
          image: {{ include "acervo.image" $root }}
          ports:
            - { name: public, containerPort: 8080 }
            - { name: internal, containerPort: 8081 }
          envFrom:
            - configMapRef: { name: {{ include "acervo.name" $root }} }
          env:
            {{- with .work }}
            - { name: ACERVO_WORK, value: {{ . }} }
            {{- end }}
            {{- range $setting, $key := $program.secretSettings }}
            - { name: {{ $setting }}_FILE, value: /run/secrets/acervo/{{ $key }} }
            {{- end }}
          startupProbe:
            httpGet: { path: /health/ready, port: internal }
            periodSeconds: 2
            failureThreshold: 90
          livenessProbe:
            httpGet: { path: /health/live, port: internal }
            periodSeconds: 10
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: internal }
            periodSeconds: 2
            failureThreshold: 2
          resources: {{- toYaml .resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: temporary, mountPath: /tmp }
            - { name: secrets, mountPath: /run/secrets/acervo, readOnly: true }
            {{- range .documents }}
            - { name: {{ .name }}, mountPath: /documents/{{ .name }}, readOnly: true }
            {{- end }}
      volumes:
        - name: temporary
          emptyDir: { sizeLimit: {{ $v.temporaryBytes }} }
        - name: secrets
          secret:
            secretName: {{ include "acervo.secretName" $root }}
            defaultMode: 0440
            # Exactly those that the program reads. An empty one is not set.
            items:
              {{- range $key := values $program.secretSettings | concat $program.files | uniq | sortAlpha }}
              - { key: {{ $key }}, path: {{ $key }} }
              {{- end }}
        {{- range .documents }}
        - name: {{ .name }}
          persistentVolumeClaim: { claimName: {{ .claim }}, readOnly: true }
        {{- end }}
{{- end -}}
