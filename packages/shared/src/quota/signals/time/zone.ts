import { matchAt, type Read } from './duration.ts'

/** A time zone: what its clocks are ahead of UTC at an instant. */
export interface Zone {
  readonly name: string
  offsetMsAt(instant: number): number
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Abbreviations with one usual meaning, in hours ahead of UTC. `IST`, `CST` and `BST` are read as most services mean them. */
const FIXED_HOURS: Readonly<Record<string, number>> = {
  utc: 0, gmt: 0, z: 0, wet: 0, west: 1, bst: 1, cet: 1, cest: 2, eet: 2, eest: 3, msk: 3, ist: 5.5,
  sgt: 8, hkt: 8, awst: 8, jst: 9, kst: 9, acst: 9.5, acdt: 10.5, aest: 10, aedt: 11, nzst: 12, nzdt: 13,
  brt: -3, adt: -3, ast: -4, edt: -4, est: -5, cdt: -5, cst: -6, mdt: -6, mst: -7, pdt: -7, pst: -8,
  akdt: -8, akst: -9, hst: -10,
} // prettier-ignore

/** Names of a region's clocks, whatever the season. */
const REGIONS: Readonly<Record<string, string>> = {
  pt: 'America/Los_Angeles',
  mt: 'America/Denver',
  ct: 'America/Chicago',
  et: 'America/New_York',
  pacific: 'America/Los_Angeles',
  mountain: 'America/Denver',
  central: 'America/Chicago',
  eastern: 'America/New_York',
  beijing: 'Asia/Shanghai',
  北京: 'Asia/Shanghai',
}

const OFFSET = /^(?:utc|gmt)?\s?([+-])(\d{1,2})(?::?([0-5]\d))?$/
const REGION_PHRASE =
  /^(pacific|mountain|central|eastern|beijing|北京)(?: (?:standard|daylight))?\s?(?:time|时间)$/
const SHOWN_OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/

/** Every named zone that was asked for once; bounded by the number of zone names there are. */
const namedZones = new Map<string, Zone>()

/** The zone of a name (`Asia/Seoul`), an abbreviation (`PST`, `ET`) or an offset (`UTC+05:30`); undefined when unknown. */
export function findZone(name: string): Zone | undefined {
  return findShortZone(name) ?? findNamedZone(name.trim().toLowerCase())
}

function findShortZone(name: string): Zone | undefined {
  const key = name.trim().toLowerCase()
  const hours = Object.hasOwn(FIXED_HOURS, key) ? FIXED_HOURS[key] : undefined
  if (hours !== undefined) return makeFixedZone(name, hours * HOUR_MS)
  const offset = OFFSET.exec(key)
  if (offset !== null) return makeFixedZone(name, readOffsetMs(offset))
  const region = REGION_PHRASE.exec(key)?.[1] ?? key
  const regionZone = Object.hasOwn(REGIONS, region) ? REGIONS[region] : undefined
  return regionZone === undefined ? undefined : findNamedZone(regionZone)
}

/** The zone of this machine, for times that name none and a caller that names none either. */
export function findLocalZone(): Zone {
  return findZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? makeFixedZone('UTC', 0)
}

const PARENTHESISED = /\s{0,3}\(([^()\n]{1,40})\)/y
const NAMED = /\s{0,3}([A-Za-z]{1,20}(?:\/[A-Za-z0-9_+-]{1,30}){1,2})/y
const PHRASE =
  /\s{0,3}((?:pacific|mountain|central|eastern|beijing)(?: standard| daylight)? time|北京时间)/iy
const PLAIN_OFFSET = /\s{0,3}((?:utc|gmt)?\s?[+-]\d{1,2}(?::?[0-5]\d)?)(?![\d:]|\s?[ap]\.?m)/iy
const ABBREVIATION = /\s{0,3}([A-Za-z]{1,4})(?![A-Za-z])/y

/** Reads a zone at a position. A zone in parentheses that nobody knows is consumed with no value. */
export function readZone(text: string, start: number): Read<Zone | undefined> | null {
  const parenthesised = matchAt(PARENTHESISED, text, start)
  if (parenthesised !== null) {
    return { value: findZone(parenthesised[1] ?? ''), end: start + parenthesised[0].length }
  }
  for (const pattern of [NAMED, PHRASE, PLAIN_OFFSET, ABBREVIATION]) {
    const match = matchAt(pattern, text, start)
    const name = match?.[1]
    if (!match || name === undefined || meansSomethingElse(name)) continue
    const zone = pattern === NAMED ? findZone(name) : findShortZone(name)
    if (zone !== undefined) return { value: zone, end: start + match[0].length }
  }
  return null
}

/** Two and three letters of other meaning (`et` is French, `Est` Italian) are zones only in capitals. */
function meansSomethingElse(name: string): boolean {
  return /^[a-z]{1,3}$/i.test(name) && name !== name.toUpperCase() && !/^(?:utc|gmt)$/i.test(name)
}

function makeFixedZone(name: string, offsetMs: number): Zone {
  return { name, offsetMsAt: () => offsetMs }
}

function readOffsetMs([, sign, hours, minutes]: RegExpExecArray): number {
  const offsetMs = Number(hours) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS
  return sign === '-' ? -offsetMs : offsetMs
}

function findNamedZone(name: string): Zone | undefined {
  const key = name.toLowerCase()
  const known = namedZones.get(key)
  if (known !== undefined) return known
  const zone = makeNamedZone(name)
  if (zone !== undefined) namedZones.set(key, zone)
  return zone
}

function makeNamedZone(name: string): Zone | undefined {
  const format = openZoneTable(name)
  if (format === undefined) return undefined
  return {
    name: format.resolvedOptions().timeZone,
    offsetMsAt(instant) {
      const [, sign, hours, minutes, seconds] = SHOWN_OFFSET.exec(format.format(instant)) ?? []
      if (sign === undefined) return 0
      const offsetMs =
        Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds ?? 0) * 1_000
      return sign === '-' ? -offsetMs : offsetMs
    },
  }
}

/** `Intl` brings the zone tables; it throws a RangeError for a name that is in none of them. */
function openZoneTable(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
