/** Pages with a printed part between two comments; everything around it is written by hand. */
import { text } from './files.ts'

export const printCommand = 'node tools/tidy/print.ts'

/** The page with the part of that name replaced. throws  Error when the page has no place for it */
export function withPart(page: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: printed by tools/tidy/print.ts -->`, `<!-- /${name} -->`]
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`a page has no comments around the part ${name}`)
  return `${before}${begin}\n${part}\n${end}${after}`
}

/** One sentence if the page differs from the expected text. */
export function staleFaults(path: string, printed: string): readonly string[] {
  return text(path) === printed ? [] : [`${path} is old: ${printCommand} prints it`]
}
