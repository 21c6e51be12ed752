/** The table of rooms in `docs/ARCHITECTURE.md` is printed from the table that the layer check reads. */
import { text } from './files.ts'
import { rooms } from './layers.ts'
import { staleFaults, withPart } from './printed.ts'

export const page = 'docs/ARCHITECTURE.md'

export function architectureFaults(): readonly string[] {
  return staleFaults(page, printed())
}

/** The expected text of the page. */
export function printed(): string {
  const row = (layer: string, path: string, what: string): string => `| ${layer} | \`${path}\` | ${what} |`
  const rows = rooms.flatMap(({ layer, path, what, inside = [] }) => [
    row(`${layer}`, path, what),
    ...inside.map((inner) => row(`${layer}.${inner.layer}`, `${path}/${inner.path}`, inner.what)),
  ])
  return withPart(text(page), 'rooms', ['| layer | room | what it is |', '|---|---|---|', ...rows].join('\n'))
}
