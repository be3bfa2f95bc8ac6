{{/* The defaults of what `global` may say, too; values.yaml describes them. In values.yaml they could not be told from
what a release says itself, which wins over `global`. */}}
{{- define "acervo.defaults" -}}
image: { registry: ghcr.io/acervo, tag: '', digest: '', pullSecrets: [] }
shared: {}
secrets: { name: acervo, external: { store: '', path: acervo/ } }
migration: { enabled: false, secretName: acervo-migrate, administrator: postgres, kafkaAdministrator: '' }
ingress: { kind: '', host: '', gateway: { name: '', namespace: '' }, className: '', tlsSecret: '' }
network: { engines: [], ingress: [], monitoring: [] }
monitoring: { podMonitor: false }
{{- end -}}

{{/* The values of this release: its own, over those of `global`, which hold for all services, over the defaults. */}}
{{- define "acervo.values" -}}
{{- $defaults := include "acervo.defaults" . | fromYaml -}}
{{- mergeOverwrite $defaults (.Values.global | default dict | deepCopy) (deepCopy (omit .Values "global")) | toJson -}}
{{- end -}}

{{- define "acervo.facts" -}}
{{- .Files.Get "files/programs.json" -}}
{{- end -}}

{{/* What the chart knows of this service: program, settings, secrets, prefixes, callers and callees. */}}
{{- define "acervo.program" -}}
{{- $v := include "acervo.values" . | fromJson -}}
{{- $programs := get (include "acervo.facts" . | fromJson) "services" -}}
{{- if not (hasKey $programs $v.service) -}}
{{- fail (printf "There is no service %q; set service to one of %s." $v.service (keys $programs | sortAlpha | join ", ")) -}}
{{- end -}}
{{- get $programs $v.service | toJson -}}
{{- end -}}

{{- define "acervo.image" -}}
{{- $v := include "acervo.values" . | fromJson -}}
{{- $program := include "acervo.program" . | fromJson -}}
{{- $name := printf "%s/%s" $v.image.registry $program.application -}}
{{- if $v.image.digest -}}
{{- printf "%s@%s" $name $v.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $name ($v.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- define "acervo.migrateImage" -}}
{{- $v := include "acervo.values" . | fromJson -}}
{{- printf "%s/migrate:%s" $v.image.registry ($v.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{/* The secrets with which a pod pulls its image, where there are some. */}}
{{- define "acervo.pullSecrets" -}}
{{- $v := include "acervo.values" . | fromJson -}}
{{- with $v.image.pullSecrets -}}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* The name of all objects of a service. Other services find it by this name: http://{service}:8081. */}}
{{- define "acervo.name" -}}
{{- $v := include "acervo.values" . | fromJson -}}
{{- $v.service -}}
{{- end -}}

{{/* The Secret that the pod mounts. External Secrets makes one for each service: a Secret has one owner. */}}
{{- define "acervo.secretName" -}}
{{- $v := include "acervo.values" . | fromJson -}}
{{- ternary (printf "%s-%s" $v.secrets.name $v.service) $v.secrets.name (not (empty $v.secrets.external.store)) -}}
{{- end -}}

{{/* "true" where pods of their own fetch from addresses that users name. */}}
{{- define "acervo.fetches" -}}
{{- $v := include "acervo.values" . | fromJson -}}
{{- $program := include "acervo.program" . | fromJson -}}
{{- if and $program.fetches $v.egress.enabled -}}true{{- end -}}
{{- end -}}

{{- define "acervo.egressName" -}}
{{ include "acervo.name" . }}-egress
{{- end -}}

{{/* The pods that exchange calls with this service: its peers, and those that fetch for one of them. */}}
{{- define "acervo.peers" -}}
{{- $facts := include "acervo.facts" . | fromJson -}}
{{- $names := list -}}
{{- range get (include "acervo.program" . | fromJson) "peers" -}}
{{- $names = append $names . -}}
{{- if get (get $facts.services .) "fetches" -}}{{- $names = append $names (printf "%s-egress" .) -}}{{- end -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* What every pod of this service may reach. */}}
{{- define "acervo.reached" -}}
{{- $v := include "acervo.values" . | fromJson -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
  to:
    - namespaceSelector: {}
      podSelector: { matchLabels: { k8s-app: kube-dns } }
{{- if get (include "acervo.program" . | fromJson) "peers" }}
- ports: [{ port: 8081 }]
  to:
    - podSelector:
        matchLabels: { app.kubernetes.io/part-of: acervo }
        matchExpressions:
          - { key: app.kubernetes.io/name, operator: In, values: {{ include "acervo.peers" . }} }
{{- end }}
{{- with $v.network.engines }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The ports of sites: those of http and https, and those that are set. */}}
{{- define "acervo.fetchedPorts" -}}
{{- $ports := list (dict "port" 80) (dict "port" 443) -}}
{{- range get (include "acervo.settings" . | fromJson) "ACERVO_EGRESS_PORTS" | default "" | splitList "," | compact -}}
{{- $ports = append $ports (dict "port" (int (trim .))) -}}
{{- end -}}
{{- toJson $ports -}}
{{- end -}}

{{- define "acervo.selectorOf" -}}
app.kubernetes.io/part-of: acervo
app.kubernetes.io/name: {{ . }}
{{- end -}}

{{- define "acervo.selector" -}}
{{ include "acervo.selectorOf" (include "acervo.name" .) }}
{{- end -}}

{{/* Labels of pods with a name: a list of the root and the name. */}}
{{- define "acervo.labelsOf" -}}
{{- $root := first . -}}
{{- $v := include "acervo.values" $root | fromJson -}}
{{ include "acervo.selectorOf" (last .) }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
app.kubernetes.io/version: {{ $v.image.tag | default $root.Chart.AppVersion | quote }}
helm.sh/chart: acervo-service-{{ $root.Chart.Version }}
{{- end -}}

{{- define "acervo.labels" -}}
{{ include "acervo.labelsOf" (list . (include "acervo.name" .)) }}
{{- end -}}

{{/* Refuses a secret among settings: everybody who reads ConfigMaps would read it. */}}
{{- define "acervo.refuseSecrets" -}}
{{- $v := include "acervo.values" . | fromJson -}}
{{- $secrets := get (include "acervo.facts" . | fromJson) "secrets" -}}
{{- $keys := get (include "acervo.program" . | fromJson) "secretSettings" -}}
{{- $place := printf "the Secret %s" (include "acervo.secretName" .) -}}
{{- range $name, $value := merge (dict) $v.settings $v.shared -}}
{{- if hasKey $keys $name -}}{{- fail (printf "%s is a secret: it belongs into %s, key %s." $name $place (get $keys $name)) -}}{{- end -}}
{{- if has $name $secrets -}}{{- fail (printf "%s is a secret, and %s needs none of this name." $name $v.service) -}}{{- end -}}
{{- if and (eq $name "ACERVO_REDIS_URL") (contains "@" (toString $value)) -}}
{{- fail (printf "%s has a user in it: name it in ACERVO_REDIS_USER; its password belongs into %s, key %s." $name $place (get $keys "ACERVO_REDIS_PASSWORD")) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Settings of this service by name: shared ones that it reads, then its own. Unknown names and secrets are refused. */}}
{{- define "acervo.settings" -}}
{{- $v := include "acervo.values" . | fromJson -}}
{{- $program := include "acervo.program" . | fromJson -}}
{{- $known := get (include "acervo.facts" . | fromJson) "known" -}}
{{- include "acervo.refuseSecrets" . -}}
{{- $all := dict "ACERVO_HOST" "0.0.0.0" "ACERVO_INTERNAL_URL" "http://{service}:8081" -}}
{{- with $v.ingress.host -}}{{- $_ := set $all "ACERVO_PUBLIC_URL" (printf "https://%s" .) -}}{{- end -}}
{{- range $name, $value := $v.shared -}}
{{- if not (has $name $known) -}}{{- fail (printf "shared.%s is no setting of any service, or the chart decides it (docs/deployment.md)." $name) -}}{{- end -}}
{{- if and (has $name $program.settings) (not (kindIs "invalid" $value)) -}}{{- $_ := set $all $name (toString $value) -}}{{- end -}}
{{- end -}}
{{- range $name, $value := $v.settings -}}
{{- if not (has $name $program.settings) -}}{{- fail (printf "%s does not read settings.%s, or the chart decides it (docs/deployment.md)." $v.service $name) -}}{{- end -}}
{{- $_ := set $all $name (toString $value) -}}
{{- end -}}
{{- range $program.explicit -}}
{{- if not (get $all .) -}}{{- fail (printf "Set %s for %s: a program on servers chooses no engine by itself." . $v.service) -}}{{- end -}}
{{- end -}}
{{- $all | toJson -}}
{{- end -}}
