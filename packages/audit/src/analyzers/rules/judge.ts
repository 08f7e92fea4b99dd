import type { Growth, Origin, SinkKind } from '../javascript/index.ts'
import type { Verdict } from './verdict.ts'

export interface FlowFacts {
  readonly sink: SinkKind
  readonly origin: Origin
  /** The file answers HTTP requests, so its parameters come from them more often. */
  readonly servesHttp: boolean
}

/**
 * Decides what a flow is worth. Only what a reader can see to be true in the file is a finding: a request, or a
 * parameter of a function that others call, that becomes part of a command, code, query or served path.
 */
export function judgeFlow(facts: FlowFacts): Verdict | undefined {
  const { origin } = facts
  switch (origin.kind) {
    case 'request':
      return {
        standing: 'finding',
        confidence: origin.indirect ? 'medium' : 'high',
        severity: 'critical',
      }
    case 'parameter':
      return judgeParameter(facts)
    case 'callback':
      return judgeCallback(facts)
    case 'environment':
      return facts.sink === 'path' ? undefined : lead
    case 'unknown':
      return judgeUnknown(facts)
  }
}

const lead: Verdict = { standing: 'lead', confidence: 'low', severity: 'low' }

function judgeParameter({ sink, origin, servesHttp }: FlowFacts): Verdict | undefined {
  if (sink === 'path') return judgePathParameter(origin, servesHttp)
  // A function whose whole text is the command or the code is a wrapper: its callers decide, so it is told with less weight.
  if (!origin.joined) return { standing: 'finding', confidence: 'medium', severity: 'medium' }
  return { standing: 'finding', confidence: origin.indirect ? 'medium' : 'high', severity: 'high' }
}

/** A function that opens the path it is given is no fault; one that serves it over HTTP is likely to be. */
function judgePathParameter(origin: Origin, servesHttp: boolean): Verdict | undefined {
  if (servesHttp)
    return { standing: 'finding', confidence: origin.joined ? 'medium' : 'low', severity: 'medium' }
  return origin.joined && !origin.indirect ? lead : undefined
}

function judgeCallback({ sink, origin }: FlowFacts): Verdict | undefined {
  if (sink === 'path') return undefined
  const isSeen = sink === 'code' || origin.joined
  return isSeen && !origin.indirect
    ? { standing: 'finding', confidence: 'medium', severity: 'medium' }
    : lead
}

/** Evaluating text of unknown making is worth a look whatever it is; a command of unknown text is not always. */
function judgeUnknown({ sink, origin }: FlowFacts): Verdict | undefined {
  if (sink === 'code' || sink === 'deserialize') {
    return { standing: 'finding', confidence: 'low', severity: 'medium' }
  }
  return origin.joined && sink !== 'path' ? lead : undefined
}

/** Parameters that hold short texts whatever the caller does. */
const shortTexts = /path|file|dir|name|key|id$|specifier|ext$|arg|prop|module|type|version/i

const severityOfGrowth = { exponential: 'high', polynomial: 'medium', scan: 'low' } as const

/**
 * Decides what a slow pattern is worth. An exponential one is a fault wherever it stands; the others are when text that
 * others choose is seen to meet them, and the mildest only when that text comes straight and may be long.
 */
export function judgeRegex(growth: Growth, origin: Origin | undefined): Verdict {
  const severity = severityOfGrowth[growth]
  const isReached = origin?.kind === 'request' || origin?.kind === 'parameter'
  if (growth === 'exponential') {
    return { standing: 'finding', confidence: isReached ? 'high' : 'medium', severity }
  }
  const isLong =
    growth === 'polynomial' || (!origin?.indirect && !shortTexts.test(origin?.name ?? ''))
  const standing = isReached && isLong ? 'finding' : 'lead'
  return { standing, confidence: isReached ? 'high' : 'medium', severity }
}
