{{- define "faregate.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "faregate.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "faregate.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "faregate.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "faregate.selectorLabels" -}}
app.kubernetes.io/name: {{ include "faregate.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "faregate.labels" -}}
{{ include "faregate.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "faregate.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* "yes" if PostgreSQL holds the data, else empty. */}}
{{- define "faregate.postgres" -}}
{{- if or .Values.database.url .Values.database.existingSecret -}}yes{{- end -}}
{{- end -}}

{{/* Stops an installation that would lose data or not start. */}}
{{- define "faregate.check" -}}
{{- if not (include "faregate.postgres" .) -}}
{{- if or (gt (int .Values.replicaCount) 1) .Values.autoscaling.enabled -}}
{{- fail "SQLite has one pod: set database.url or database.existingSecret to run more, or set replicaCount to 1 and autoscaling.enabled to false." -}}
{{- end -}}
{{- else if not (or .Values.secret.value .Values.secret.existingSecret) -}}
{{- fail "PostgreSQL needs one secret for all pods: set secret.existingSecret, or secret.value to at least 32 characters." -}}
{{- end -}}
{{- end -}}
