import packageJson from '../package.json' with { type: 'json' }

/** Version of this package; part of cache keys and reports. */
export const version: string = packageJson.version
