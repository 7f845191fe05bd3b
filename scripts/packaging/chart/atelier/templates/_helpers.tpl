{{- define "atelier.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "atelier.labels" -}}
app.kubernetes.io/name: atelier
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "atelier.selector" -}}
app.kubernetes.io/name: atelier
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* The pod of a component: root, component, image, resources, args. */}}
{{- define "atelier.pod" -}}
metadata:
  labels:
    {{- include "atelier.selector" . | nindent 4 }}
  annotations:
    checksum/settings: {{ include (print .root.Template.BasePath "/settings.yaml") .root | sha256sum }}
    {{- if .root.Values.metricsPort }}
    prometheus.io/scrape: "true"
    prometheus.io/port: {{ .root.Values.metricsPort | quote }}
    {{- end }}
    {{- with .root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "atelier.name" .root }}
  automountServiceAccountToken: false
  # Above the 25 seconds that requests and the 20 that jobs get.
  terminationGracePeriodSeconds: 60
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile:
      type: RuntimeDefault
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: atelier
      image: {{ printf "%s:%s" (default .root.Values.image.repository (get .image "repository")) (default .root.Chart.AppVersion (default .root.Values.image.tag (get .image "tag"))) | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: {{ toJson .args }}
      envFrom:
        - configMapRef:
            name: {{ include "atelier.name" .root }}
        - secretRef:
            name: {{ .root.Values.existingSecret }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      {{- if or .http .root.Values.metricsPort }}
      ports:
        {{- if .http }}
        - name: http
          containerPort: 8080
        {{- end }}
        {{- if .root.Values.metricsPort }}
        - name: metrics
          containerPort: {{ .root.Values.metricsPort }}
        {{- end }}
      {{- end }}
      {{- if .http }}
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
      livenessProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 10
        failureThreshold: 6
      startupProbe: # migrations are applied before it answers
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 5
        failureThreshold: 120
      {{- end }}
      {{- with .resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - name: data
          mountPath: /var/lib/atelier
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: data
      emptyDir: {}
    - name: tmp
      emptyDir: {}
{{- end -}}
