/** Names under which secrets are set. */
const secretNames =
  /(^|_|-|\.)(password|passwd|pwd|secret|token|api_?key|access_?key|private_?key|secret_?key|client_secret|auth_?token|credentials?)($|_|-|\.)/i

/** Names that only look like those of secrets. */
const harmlessNames =
  /(_file|_path|_url|_name|_id|_type|_length|_ttl|_expiry|_header|public_?key)$/i

const placeholders =
  /^(|change[-_]?me|change[-_]?this|replace[-_]?me|todo|example|placeholder|dummy|fake|test(ing)?|password|passwd|secret|token|admin|root|postgres|mysql|user|guest|null|none|undefined|true|false|x+|\*+|\.+|-+|\d{1,4}|your[-_ ].*|my[-_ ].*|<.*>|\[.*\]|\$.*|%.*%|.*\{\{.*\}\}.*)$/i

/** Whether a setting of this name and value is a secret in clear rather than a placeholder or a reference to one. */
export function isSecretInClear(name: string, value: string): boolean {
  if (!secretNames.test(name) || harmlessNames.test(name)) return false
  const bare = value.trim().replace(/^(["'])(.*)\1$/, '$2')
  return bare.length >= 6 && !/\s/.test(bare) && !placeholders.test(bare)
}
