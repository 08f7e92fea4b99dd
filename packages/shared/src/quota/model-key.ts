/** The key under which figures of one model at one provider are kept: `provider/model`. */
export function buildProviderModelKey(providerName: string, hostModel: string | null): string {
  return `${providerName}/${hostModel ?? 'default'}`
}

/** What is kept for a model, by its key or else by the model's name alone. */
export function lookupModel<Entry>(
  entries: Readonly<Record<string, Entry>> | undefined,
  providerName: string,
  hostModel: string | null,
): Entry | undefined {
  const names = [buildProviderModelKey(providerName, hostModel), hostModel]
  const name = names.find((each) => each !== null && Object.hasOwn(entries ?? {}, each))
  return name === undefined || name === null ? undefined : entries?.[name]
}
