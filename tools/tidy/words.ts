/** Files speak of the product alone: no paths of a machine, no addresses of registries, no unfinished ends. */
import { files, text } from './files.ts'
import { isTest } from './layers.ts'

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

/** Rooms stay readable: a source file longer than this needs a second room. Generated and text files do not count. */
export const linesMax = 450

export function lengthFaults(): readonly string[] {
  return files(/\.(ts|tsx|css)$/)
    .filter((path) => !isTest(path) && !path.includes('/texts/') && !path.includes('/printed/'))
    .flatMap((path) => {
      const lines = text(path).split('\n').length
      return lines > linesMax ? [`${path} has ${lines} lines, more than ${linesMax}`] : []
    })
}
