import { defineConfig } from 'vitest/config'

// Tests read each package's source through this condition, so units run with nothing built.
const conditions = ['@audit-tools/source', 'node', 'import', 'default']

export default defineConfig({
  ssr: { resolve: { conditions } },
  resolve: { conditions },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['packages/*/test/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
