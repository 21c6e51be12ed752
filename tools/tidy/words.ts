/** Files speak of the product alone: no paths of a machine, no addresses of registries, no unfinished ends. */
import { files, text } from './files.ts'

const machine = /(?<![\w.])\/(?:work|root|home\/\w+|Users\/\w+)\/[\w.]/
const unfinished = /\b(TODO|FIXME|XXX|HACK)\b/
const registry = /registry\.(npmjs|yarnpkg)\.|"resolved":\s*"https?:/

export function wordFaults(): readonly string[] {
  return files(/\.(ts|tsx|mjs|css|html|md|json|yml|yaml)$|^\.ci\/run$/).flatMap((path) => {
    if (path === 'tools/tidy/words.ts') return []
    const faults: string[] = []
    for (const [index, line] of text(path).split('\n').entries()) {
      if (machine.test(line)) faults.push(`${path}:${index + 1} names a place on a machine`)
      if (unfinished.test(line)) faults.push(`${path}:${index + 1} is unfinished`)
      if (registry.test(line)) faults.push(`${path}:${index + 1} names a registry`)
    }
    return faults
  })
}
