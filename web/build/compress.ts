/** Writes `.br` and `.gz` versions of every text file of the build, which the server sends unchanged. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

export function compress(): Plugin {
  let folder = ''
  return {
    name: 'candor:compress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    writeBundle() {
      compressFolder(folder)
    },
  }
}

/** All text files of a built app, each beside its plain form. */
export function compressFolder(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.(html|m?js|css|svg|json|webmanifest|txt)$/.test(path)) continue
    const plain = readFileSync(path)
    if (plain.length < 512) continue
    writeFileSync(`${path}.br`, brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
    writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }))
  }
}
