/**
 * Makes modules of the table of locales: `virtual:locale/de` has the texts that most screens use and loaders for the others;
 * `virtual:locales` has the table itself and loaders for these modules.
 */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { locales as table } from '@candor/core/protocol/locales.ts'
import type { Plugin } from 'vite'

/** Areas that most screens use; the others are loaded by the screens that need them. */
const first = ['common', 'fields', 'market', 'shell', 'trade']
const all = 'virtual:locales'
const one = 'virtual:locale/'

export function locales(): Plugin {
  const folder = resolve(import.meta.dirname, '..', 'locales')
  const areas = readdirSync(join(folder, 'en')).map((file) => file.replace('.json', ''))
  const later = areas.filter((area) => !first.includes(area))
  return {
    name: 'candor:locales',
    resolveId: (source) => (source === all || source.startsWith(one) ? `\0${source}` : undefined),
    load(id) {
      if (id === `\0${all}`) {
        const loaders = table.map(({ code }) => `${JSON.stringify(code)}:()=>import('${one}${code}')`)
        // Without the data that only mails need.
        const lines = table.map(({ messages: _, ...line }) => line)
        return `export const locales=${JSON.stringify(lines)}\nexport const laterAreas=${JSON.stringify(later)}\nexport const loaders={${loaders}}`
      }
      if (!id.startsWith(`\0${one}`)) return undefined
      const own = join(folder, id.slice(one.length + 1))
      const path = (area: string): string => JSON.stringify(join(own, `${area}.json`))
      return [
        ...first.map((area) => `import ${area} from ${path(area)}`),
        `export const texts={${first}}`,
        `export const later={${later.map((area) => `${area}:()=>import(${path(area)}).then((module)=>module.default)`)}}`,
      ].join('\n')
    },
  }
}
