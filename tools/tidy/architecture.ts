/** The table of rooms in `docs/ARCHITECTURE.md` is printed from the table that the layer check reads. */
import { text } from './files.ts'
import { rooms } from './layers.ts'

export const page = 'docs/ARCHITECTURE.md'
const begin = '<!-- rooms: printed by tools/tidy/print.ts -->'
const end = '<!-- /rooms -->'

export function architectureFaults(): readonly string[] {
  return text(page) === printed(text(page))
    ? []
    : [`${page} has another table of rooms than tools/tidy/layers.ts: node tools/tidy/print.ts writes it`]
}

export function printed(current: string): string {
  const row = (layer: string, path: string, what: string): string => `| ${layer} | \`${path}\` | ${what} |`
  const rows = rooms.flatMap(({ layer, path, what, inside = [] }) => [
    row(`${layer}`, path, what),
    ...inside.map((inner) => row(`${layer}.${inner.layer}`, `${path}/${inner.path}`, inner.what)),
  ])
  const table = ['| layer | room | what it is |', '|---|---|---|', ...rows].join('\n')
  const [before, rest] = current.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the table of rooms`)
  return `${before}${begin}\n${table}\n${end}${after}`
}
