/**
 * Checks the tables of `docs/security/`: each line has a known state, and a file or a sentence of the specification that exists. Prints
 * their counts in `docs/security.md`.
 */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { files, root, text } from './files.ts'
import { staleFaults, withPart } from './printed.ts'
import { sentences, titles } from './spec.ts'

export const page = 'docs/security.md'

const states = ['met', 'open', 'not applicable'] as const
const levels = ['1', '2', '3'] as const
const wordsMax = 12
const chapterPage = /^docs\/security\/(\d\d)-[\w-]+\.md$/
const pointer = /\[[^\]]*\]\(([^)\s]+)\)/g
const named = /`([A-Z]+(?:-[A-Z]+)+-\d{3})`(?: in \[[^\]]*\]\(([^)\s]+)\))?/g

/** One requirement, as its line says it. */
type Line = {
  readonly at: string
  readonly number: string
  readonly level: string
  readonly asks: string
  readonly state: string
  readonly where: string
}
type Page = { readonly path: string; readonly text: string }
/** What pointers may name. `titledIn`: whether a test of this file has the sentence in its title. */
export type Known = {
  readonly isFile: (path: string) => boolean
  readonly isSentence: (id: string) => boolean
  readonly titledIn: (id: string, path: string) => boolean
}

export function securityFaults(): readonly string[] {
  const known = sentences()
  return [
    ...faultsOf(chapters(), {
      isFile: (path) => existsSync(join(root, path)),
      isSentence: (id) => known.has(id),
      titledIn: (id, path) => titles(text(path)).includes(id),
    }),
    ...staleFaults(page, printed()),
  ]
}

/** The page with the counts of today. */
export function printed(): string {
  return withPart(text(page), 'counts', countsOf(chapters()))
}

/** A row for each chapter, and one for each level of all of them. */
export function countsOf(pages: readonly Page[]): string {
  const row = (name: string, lines: readonly Line[]): string =>
    `| ${[name, ...states.map((state) => lines.filter((line) => line.state === state).length), lines.length].join(' | ')} |`
  const all = pages.flatMap(linesOf)
  return [
    `| chapter | ${states.join(' | ')} | all |`,
    '|---|---|---|---|---|',
    ...pages.map((one) => row(`[${/^# (.*)$/m.exec(one.text)?.[1] ?? one.path}](${one.path.slice('docs/'.length)})`, linesOf(one))),
    ...levels.map((level) =>
      row(
        `level ${level}`,
        all.filter((line) => line.level === level),
      ),
    ),
    row('all', all),
  ].join('\n')
}

/** One sentence for each line whose number, level, state or pointer is wrong. */
export function faultsOf(pages: readonly Page[], known: Known): readonly string[] {
  const seen = new Map<string, string>()
  return pages.flatMap((one) =>
    linesOf(one).flatMap((line) => {
      const before = seen.get(line.number)
      seen.set(line.number, line.at)
      const again = before === undefined ? [] : [`has the number ${line.number}, which ${before} has too`]
      return [...again, ...formFaults(one.path, line), ...pointerFaults(one.path, line, known)].map((fault) => `${line.at} ${fault}`)
    }),
  )
}

function chapters(): readonly Page[] {
  return files(chapterPage).map((path) => ({ path, text: text(path) }))
}

function linesOf({ path, text: content }: Page): readonly Line[] {
  return content.split('\n').flatMap((line, index) => {
    if (!line.startsWith('| ') || line.startsWith('| number |')) return []
    const [number = '', level = '', asks = '', state = '', where = ''] = line.slice(2, -2).split(' | ')
    return [{ at: `${path}:${index + 1}`, number, level, asks, state, where }]
  })
}

function formFaults(path: string, { number, level, asks, state, where }: Line): readonly string[] {
  const chapter = Number(chapterPage.exec(path)?.[1])
  const words = asks.split(/\s+/).filter(Boolean).length
  return [
    ...(new RegExp(`^${chapter}\\.\\d+\\.\\d+$`).test(number) ? [] : [`has the number ${number}, which is none of chapter ${chapter}`]),
    ...((levels as readonly string[]).includes(level) ? [] : [`has the level ${level}`]),
    ...((states as readonly string[]).includes(state) ? [] : [`has the unknown state ${state}`]),
    ...(words > 0 && words <= wordsMax ? [] : [`says in ${words} words what it asks: 1 to ${wordsMax} are right`]),
    ...(where === '' ? ['names neither a place nor a reason'] : []),
    ...(state === 'met' && !where.includes('](') ? ['is met without a pointer'] : []),
  ]
}

function pointerFaults(path: string, { where }: Line, { isFile, isSentence, titledIn }: Known): readonly string[] {
  const placeOf = (target: string): string => normalize(join(dirname(path), target))
  const missing = [...where.matchAll(pointer)].map(([, target = '']) => placeOf(target)).filter((place) => !isFile(place))
  const wrong = [...where.matchAll(named)].flatMap(([, id = '', target]) => {
    if (!isSentence(id)) return [`names ${id}, which is no sentence of docs/spec`]
    if (target === undefined || !isFile(placeOf(target)) || titledIn(id, placeOf(target))) return []
    return [`names ${id} in ${placeOf(target)}, where no test has it in its title`]
  })
  return [...missing.map((place) => `points to ${place}, which does not exist`), ...wrong]
}
