/** Each sentence of `docs/spec/` has an ID; each ID is named by a test; each ID that a test names exists. */
import { files, text } from './files.ts'
import { isTest } from './layers.ts'

const sentence = /^\s*-\s+\*\*([A-Z]+(?:-[A-Z]+)*-\d{3})\*\*/gm
const named = /\b([A-Z]+(?:-[A-Z]+)+-\d{3})\b/g

export function specFaults(): readonly string[] {
  const written = new Map<string, string>()
  const faults: string[] = []
  for (const path of files(/^docs\/spec\/.*\.md$/)) {
    for (const match of text(path).matchAll(sentence)) {
      const id = match[1] ?? ''
      if (written.has(id)) faults.push(`${id} stands in ${path} and in ${written.get(id)}`)
      written.set(id, path)
    }
    for (const [index, line] of text(path).split('\n').entries()) {
      if (/^\s*-\s/.test(line) && !/^\s*-\s+\*\*[A-Z]/.test(line)) faults.push(`${path}:${index + 1} is a sentence without an ID`)
    }
  }
  const tested = new Set<string>()
  for (const path of files(/\.tsx?$/).filter(isTest)) for (const match of text(path).matchAll(named)) tested.add(match[1] ?? '')
  for (const [id, path] of written) if (!tested.has(id)) faults.push(`${id} (${path}) is named by no test`)
  for (const id of tested) if (!written.has(id) && isSpecId(id)) faults.push(`a test names ${id}, which no page has`)
  return faults
}

function isSpecId(id: string): boolean {
  return /^(SPOT|FUNDS|USER|MARKET|PERP|MARGIN|OPTION|CONVERT|LAUNCHPAD)-/.test(id)
}
