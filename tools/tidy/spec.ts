/**
 * Checks that the specification and the tests name the same sentences: each sentence of `docs/spec/` has its own ID, each ID is in
 * the title of a test, and tests name no ID without a sentence.
 */
import { files, text } from './files.ts'
import { isTest } from './layers.ts'

type Page = { readonly path: string; readonly text: string }

const id = '[A-Z]+(?:-[A-Z]+)+-\\d{3}'
const sentence = new RegExp(`^\\s*-\\s+\\*\\*(${id})\\*\\* \\S`, 'gm')
const named = new RegExp(`\\b(${id})\\b`, 'g')
const title = new RegExp(`['"\`](${id})(?=[:'"\`])`, 'g')

export function specFaults(): readonly string[] {
  const read = (path: string): Page => ({ path, text: text(path) })
  return faultsOf(
    files(/^docs\/spec\/.*\.md$/).map(read),
    files(/\.tsx?$/)
      .filter(isTest)
      .map(read),
  )
}

/** One sentence for each ID that occurs twice, or on one side only. */
export function faultsOf(pages: readonly Page[], tests: readonly Page[]): readonly string[] {
  const written = new Map<string, string>()
  const faults: string[] = []
  for (const { path, text } of pages) {
    for (const found of matches(text, sentence)) {
      if (written.has(found)) faults.push(`${found} is in ${path} and in ${written.get(found)}`)
      written.set(found, path)
    }
    for (const [index, line] of text.split('\n').entries()) {
      if (/^\s*-\s/.test(line) && matches(line, sentence).length === 0) faults.push(`${path}:${index + 1} is a sentence without an ID`)
    }
  }
  const titled = new Set(tests.flatMap(({ text }) => matches(text, title)))
  for (const [found, path] of written) if (!titled.has(found)) faults.push(`${found} (${path}) is in no test title`)
  const unknown = new Map<string, string>()
  for (const { path, text } of [...pages, ...tests]) {
    for (const found of matches(text, named)) if (!written.has(found)) unknown.set(found, path)
  }
  for (const [found, path] of unknown) faults.push(`${path} names ${found}, which is no sentence of docs/spec`)
  return faults
}

/** The IDs of all sentences. */
export function sentences(): ReadonlySet<string> {
  return new Set(files(/^docs\/spec\/.*\.md$/).flatMap((path) => matches(text(path), sentence)))
}

/** The IDs in the titles of a file's tests. */
export function titles(content: string): readonly string[] {
  return matches(content, title)
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] as string)
}
