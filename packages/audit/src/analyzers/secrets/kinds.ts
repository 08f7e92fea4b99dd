/** How each message of secretlint's recommended rules is told. */
export interface SecretKind {
  readonly title: string
  readonly suggestion: string
}

const revoke =
  'Revoke it where it was issued, and read a new one from the environment or a secret store.'

function token(owner: string): SecretKind {
  return { title: `${owner} in the repository`, suggestion: revoke }
}

function password(owner: string): SecretKind {
  return {
    title: `Password of ${owner} in the repository`,
    suggestion: 'Change the password, and read it from the environment or a secret store.',
  }
}

export const secretKinds: Readonly<Record<string, SecretKind>> = {
  AWSAccountID: token('AWS account id'),
  AWSAccessKeyID: token('AWS access key id'),
  AWSSecretAccessKey: token('AWS secret access key'),
  PrivateKeyP12: token('Google Cloud private key'),
  PrivateKeyJSON: token('Google Cloud private key'),
  PrivateKey: token('Private key'),
  PackageJSON_xOauthToken: token('GitHub token'),
  Npmrc_authToken: token('npm token'),
  NPM_ACCESS_TOKEN: token('npm token'),
  BasicAuth: password('a URL'),
  SLACK_TOKEN: token('Slack token'),
  IncomingWebhook: token('Slack webhook'),
  SENDGRID_KEY: token('SendGrid key'),
  SHOPIFY_KEY: token('Shopify token'),
  GITHUB_TOKEN: token('GitHub token'),
  OPENAI_TOKEN: token('OpenAI key'),
  ANTHROPIC_API_KEY: token('Anthropic key'),
  LINEAR_API_TOKEN: token('Linear token'),
  OPS_TOKEN: token('1Password service account token'),
  MongoDBConnection: password('a MongoDB connection'),
  MySQLConnection: password('a MySQL connection'),
  PostgreSQLConnection: password('a PostgreSQL connection'),
}

export const unnamedSecret: SecretKind = token('Secret')
