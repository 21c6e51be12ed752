import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { beforePaint } from './build/before-paint.ts'
import { coins } from './build/coins.ts'
import { compress } from './build/compress.ts'
import { serviceWorker } from './build/service-worker.ts'

/** Where `npm run dev` finds a running exchange. */
const exchange = process.env.CANDOR_URL ?? 'http://127.0.0.1:8080'
const socket = { target: exchange.replace(/^http/, 'ws'), ws: true, changeOrigin: true, headers: { origin: exchange } }

export default defineConfig({
  plugins: [react(), tailwind(), coins(), beforePaint(), serviceWorker(), compress()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: {
      '/app/v1/stream': socket,
      '/app/v1': { target: exchange, changeOrigin: true, headers: { origin: exchange } },
      '/wss': socket,
      '/ws': socket,
    },
  },
})
