// The architecture as rules. Each table row says which folders a folder may import; everything else is an error.

const SHARED = {
  core: [],
  store: ['core'],
  process: ['core', 'store'],
  git: ['core', 'store', 'process'],
  config: ['core', 'store', 'process', 'git'],
  claims: ['core', 'store'],
  quota: ['core', 'store', 'claims', 'config'],
  providers: ['core', 'store', 'process', 'config', 'quota'],
  dispatch: ['core', 'store', 'process', 'git', 'config', 'claims', 'quota', 'providers'],
  simulator: ['core', 'store', 'config', 'claims', 'quota', 'providers', 'dispatch'],
  findings: ['core'],
  steps: ['core', 'store'],
  cli: ['core', 'store'],
}

const AUDIT = {
  snapshot: [],
  graph: ['snapshot'],
  analyzers: ['snapshot', 'graph'],
  plan: ['snapshot', 'graph', 'analyzers'],
  review: ['snapshot', 'plan'],
  verify: ['snapshot', 'plan', 'review'],
  report: ['snapshot', 'graph', 'analyzers', 'plan', 'review', 'verify'],
  run: ['snapshot', 'graph', 'analyzers', 'plan', 'review', 'verify', 'report'],
  host: ['snapshot', 'plan', 'review', 'verify', 'report', 'run'],
}

const REMEDIATE = {
  intake: [],
  plan: ['intake'],
}

const TESTS = '\\.test\\.ts$|/fixtures/'

function folderRules(packageName, table) {
  const source = `^packages/${packageName}/src/`
  return Object.entries(table).map(([folder, allowed]) => ({
    name: `${packageName}-${folder}`,
    comment: `${folder} may import ${allowed.join(', ') || 'nothing of ours'}; move the code or turn the arrow round.`,
    severity: 'error',
    from: { path: `${source}${folder}/`, pathNot: TESTS },
    to: { path: source, pathNot: `${source}(${[folder, ...allowed].join('|')})/` },
  }))
}

/** Inside a package another folder is entered by its index. */
function doorRule(packageName) {
  return {
    name: `${packageName}-through-the-door`,
    comment: 'Import the folder’s index.ts; export there what you need.',
    severity: 'error',
    from: { path: `^packages/${packageName}/src/([^/]+)/`, pathNot: TESTS },
    to: {
      path: `^packages/${packageName}/src/[^/]+/.+`,
      pathNot: [
        `^packages/${packageName}/src/$1/`,
        `^packages/${packageName}/src/[^/]+/index\\.ts$`,
      ],
    },
  }
}

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or need a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'shared-knows-no-tool',
      comment: 'The library does not know who uses it.',
      severity: 'error',
      from: { path: '^packages/shared/' },
      to: { path: '^packages/(audit|remediate)/' },
    },
    {
      name: 'tools-are-strangers',
      comment: 'The tools meet only in @audit-tools/shared/findings and the files they write.',
      severity: 'error',
      from: { path: '^packages/(audit|remediate)/src/' },
      to: { path: '^packages/(audit|remediate)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'packages-by-sub-path',
      comment: 'Across packages import @audit-tools/shared/<folder>.',
      severity: 'error',
      from: { path: '^packages/(audit|remediate)/' },
      to: {
        path: '^packages/shared/',
        pathNot: [
          '^packages/shared/src/index\\.ts$',
          '^packages/shared/src/[^/]+/index\\.ts$',
          '^packages/shared/dist/',
        ],
      },
    },
    {
      name: 'files-only-in-store',
      comment: 'Use @audit-tools/shared/store, the only file access.',
      severity: 'error',
      from: {
        path: '^packages/[^/]+/src/',
        pathNot: `^packages/shared/src/(store|process|testing)/|${TESTS}`,
      },
      to: { path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'children-only-in-process',
      comment: 'Use @audit-tools/shared/process, the only spawner.',
      severity: 'error',
      from: {
        path: '^packages/[^/]+/src/',
        pathNot: `^packages/shared/src/(process|testing)/|${TESTS}`,
      },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'The test kit is not used by what we ship.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: `^packages/shared/src/testing/|${TESTS}` },
      to: { path: '^packages/shared/src/testing/' },
    },
    {
      name: 'no-development-tools-at-run-time',
      comment: 'Move it from devDependencies to dependencies, or do without.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: `${TESTS}|^packages/shared/src/testing/` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    ...folderRules('shared', SHARED),
    ...folderRules('audit', AUDIT),
    ...folderRules('remediate', REMEDIATE),
    ...['shared', 'audit', 'remediate'].map(doorRule),
  ],
  options: {
    doNotFollow: { path: 'node_modules|/dist/' },
    exclude: { path: '/dist/|/fixtures/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['@audit-tools/source', 'import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
}
