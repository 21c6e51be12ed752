/** Checks that files contain no machine paths, registry addresses, unfinished ends or stray words. */
import { files, text } from './files.ts'

const machine = /(?<![\w.])\/(?:work|root|home\/\w+|Users\/\w+)\/[\w.]/
const unfinished = /\b(TODO|FIXME|XXX|HACK)\b/
const registry = /registry\.(npmjs|yarnpkg)\.|"resolved":\s*"https?:/

/**
 * Words that files of a zone must not use, because the code has one word for each product, whatever the routes call it.
 * `except`: files that use the words of the specification in requests or answers.
 */
const strays: readonly { readonly zone: RegExp; readonly word: RegExp; readonly instead: string; readonly except: readonly string[] }[] = [
  { zone: /^(core|server|client|simulator)\//, word: /\blever(?!ag)|Lever(?!ag)|LEVER(?!AG)/, instead: 'margin', except: [] },
]

export function wordFaults(): readonly string[] {
  return files(/\.(ts|tsx|mjs|css|html|md|json|yml|yaml)$|^\.ci\/run$/).flatMap((path) => {
    if (path === 'tools/tidy/words.ts') return []
    const faults: string[] = []
    const strange = strays.filter(({ zone, except }) => zone.test(path) && !except.includes(path))
    for (const { word, instead } of strange) if (word.test(path)) faults.push(`${path} is named with a stray word: ${instead}`)
    for (const [index, line] of text(path).split('\n').entries()) {
      if (machine.test(line)) faults.push(`${path}:${index + 1} contains a machine path`)
      if (unfinished.test(line)) faults.push(`${path}:${index + 1} is unfinished`)
      if (registry.test(line)) faults.push(`${path}:${index + 1} contains a registry address`)
      for (const { word, instead } of strange) {
        const found = word.exec(line)?.[0]
        if (found !== undefined) faults.push(`${path}:${index + 1} says ${found}: the word is ${instead}`)
      }
    }
    return faults
  })
}
