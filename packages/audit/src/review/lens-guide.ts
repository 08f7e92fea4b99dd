import type { Lens } from '@audit-tools/shared/findings'

/** What a reviewer looks for under each lens. Short on purpose: every packet pays for these words. */
export const lensGuide: Readonly<Record<Lens, string>> = {
  correctness:
    'Code that does not do what it is meant to do: wrong conditions, wrong order, off-by-one, wrong types or units, missed cases, misuse of an interface.',
  security:
    'Ways for input or people without the right to it to execute, read, write, forge or exhaust: injection, traversal, missing checks, unsafe parsing, secrets, weak cryptography.',
  reliability:
    'What breaks under failure or load: errors swallowed or mishandled, missing timeouts, races, leaks, retries without bound, state left half-changed.',
  data_integrity:
    'Ways to lose, duplicate or corrupt data: partial writes, lost updates, wrong transactions, unchecked input that is stored, precision and encoding loss.',
  architecture:
    'Dependencies that run the wrong way, cycles, one concern smeared over many places.',
  maintainability:
    'Code that the next person will get wrong: duplication that diverges, dead or misleading code.',
  performance:
    'Work that grows faster than its input, repeated expensive calls, blocking where others wait.',
  tests:
    'Tests that cannot fail, assert the wrong thing, depend on order or time, or miss a stated risk.',
  operability:
    'What hurts the person who runs it: unusable errors, unsafe defaults, no way to stop or recover.',
  config_deployment:
    'Settings, builds, images and pipelines that are wrong, unsafe or not reproducible.',
  observability: 'Failures that leave no trace, traces that mislead, secrets in logs.',
}
