/**
 * Checks the table *Where a new thing goes* of `docs/ARCHITECTURE.md`: the text of each link is declared in the linked file, or is the
 * file's own path. A commit that moves such a thing must also move its line.
 */
import { existsSync, statSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { root, text } from './files.ts'

const page = 'docs/ARCHITECTURE.md'
const heading = '## Where a new thing goes'
const rowPattern = /^\|\s*\*\*([^*]+)\*\*\s*\|(.*)\|\s*$/gm
const linkPattern = /\[`([^`]+)`\]\(([^)]+)\)/g

/** Rows that the page must have. */
const needed = ['order type', 'margin rule', 'locale', 'screen', 'route of the app', 'route for programs', 'market', 'coin']

export function placeFaults(): readonly string[] {
  const section = text(page).split(`${heading}\n`)[1]?.split('\n## ')[0]
  if (section === undefined) return [`${page} has no section "${heading}"`]
  const rows = [...section.matchAll(rowPattern)].map(([, name = '', places = '']) => ({ name, places }))
  const missing = needed.filter((name) => rows.every((row) => row.name !== name))
  return [...missing.map((name) => `${page} does not say where a new ${name} goes`), ...rows.flatMap(rowFaults)]
}

function rowFaults({ name, places }: { readonly name: string; readonly places: string }): readonly string[] {
  const links = [...places.matchAll(linkPattern)]
  if (links.length === 0) return [`${page}: ${name} names no file`]
  return links.flatMap(([, word = '', target = '']) => {
    const place = normalize(join('docs', target))
    const isThere = existsSync(join(root, place)) && holds(place, word)
    return isThere ? [] : [`${page}: for a new ${name} it names ${word} in ${place}, which does not exist`]
  })
}

/** Whether the file declares the word, or is named by it. */
function holds(place: string, word: string): boolean {
  if (place === word || `${place}/` === word || place.endsWith(`/${word}`)) return true
  if (statSync(join(root, place)).isDirectory()) return false
  return declares(text(place), word)
}

/** Whether the source declares a constant, function, type or class of that name, or has a line that begins with it, such as a setting. */
export function declares(source: string, word: string): boolean {
  const name = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const declaration = new RegExp(`\\b(?:const|let|function|class|type|interface)\\s+${name}(?![\\w$])`)
  return declaration.test(source) || new RegExp(`^[\\s#"'{]*${name}["']?\\s*(?:[:={]|$)`, 'm').test(source)
}
