import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { faultTexts } from './build/fault-texts.ts'

/** URL of the running exchange that `vite` in this folder uses. */
const exchange = process.env.CANDOR_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  base: '/console/',
  plugins: [react(), faultTexts()],
  build: {
    target: 'es2023',
    // The policy of the pages allows no font or script in a data URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
  server: { proxy: { '/console/v1': { target: exchange, changeOrigin: true, headers: { origin: exchange } } } },
})
