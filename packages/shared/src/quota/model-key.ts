/** The key under which figures of one model at one provider are kept: `provider/model`. */
export function buildProviderModelKey(providerName: string, hostModel: string | null): string {
  return `${providerName}/${hostModel ?? 'default'}`
}
