/**
 * Icons of the listed coins. Those of a new exchange share one picture, loaded by one request and addressed by fragment. The others
 * are single files, loaded when a market with them is shown.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Coin, coins as table } from '@candor/core/protocol/coins.ts'
import type { Plugin } from 'vite'

const nameOf = ({ symbol }: Coin): string => symbol.toLowerCase()
const first = table.filter(({ scale }) => scale !== undefined).map(nameOf)
const more = table.filter(({ scale }) => scale === undefined).map(nameOf)
const id = 'virtual:coins'

export function coins(): Plugin {
  const folder = join(resolve(import.meta.dirname, '..', '..'), 'node_modules', 'cryptocurrency-icons', 'svg', 'color')
  const icon = (name: string): string => readFileSync(join(folder, `${name}.svg`), 'utf8')
  const sheet = sheetOf(icon)
  const sheetName = `assets/coins-${createHash('sha256').update(sheet).digest('hex').slice(0, 8)}.svg`
  const singles = more.filter((name) => existsSync(join(folder, `${name}.svg`)))

  return {
    name: 'candor:coins',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) =>
      source === `\0${id}`
        ? `export const sheet = '/${sheetName}'\nexport const first = new Set(${JSON.stringify(first)})\nexport const singles = new Set(${JSON.stringify(singles)})`
        : undefined,
    buildStart() {
      if (this.meta.watchMode) return
      this.emitFile({ type: 'asset', fileName: sheetName, source: sheet })
      for (const name of singles) this.emitFile({ type: 'asset', fileName: `coins/${name}.svg`, source: icon(name) })
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const single = /^\/coins\/([a-z0-9]+)\.svg$/.exec(request.url ?? '')?.[1]
        const isSheet = request.url === `/${sheetName}`
        if (!isSheet && (single === undefined || !singles.includes(single))) return next()
        response.setHeader('content-type', 'image/svg+xml').end(isSheet ? sheet : icon(single ?? ''))
      })
    },
  }
}

/** All icons in a column, each with a view under its name. */
function sheetOf(icon: (name: string) => string): string {
  const parts = first.map((name, index) => {
    const body = icon(name)
      .replace(/<svg[^>]*>/, '')
      .replace('</svg>', '')
      .replace(/(id="|url\(#|href="#)/g, `$1${name}-`)
    return `<view id="${name}" viewBox="0 ${index * 32} 32 32"/><g transform="translate(0 ${index * 32})">${body}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="32" height="32" viewBox="0 0 32 32">${parts.join('')}</svg>`
}
