import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/*/index.ts'],
  format: ['esm'],
  dts: true,
  target: 'node20',
  sourcemap: true,
  clean: true,
})
