import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/bin.ts'],
  format: ['esm'],
  dts: false,
  target: 'node20',
  sourcemap: true,
  clean: true,
})
