/**
 * The texts that customers read after a rejected check, from the phone app's own files: `virtual:fault-texts` has a loader for each
 * language. Reviewers see the sentence that the customer will see.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

const all = 'virtual:fault-texts'
const one = `${all}/`

export function faultTexts(): Plugin {
  const folder = resolve(import.meta.dirname, '..', '..', 'web', 'locales')
  const languages = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return {
    name: 'candor:fault-texts',
    resolveId: (source) => (source === all || source.startsWith(one) ? `\0${source}` : undefined),
    load(id) {
      if (id === `\0${all}`) {
        const loaders = languages.map(({ name }) => `${JSON.stringify(name)}:()=>import('${one}${name}')`)
        return `export const faultTexts={${loaders}}`
      }
      if (!id.startsWith(`\0${one}`)) return undefined
      const path = join(folder, id.slice(one.length + 1), 'papers.json')
      this.addWatchFile(path)
      const { fault } = JSON.parse(readFileSync(path, 'utf8')) as { readonly fault: unknown }
      return `export default ${JSON.stringify(fault)}`
    },
  }
}
