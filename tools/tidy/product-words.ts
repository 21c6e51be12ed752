/**
 * Checks that each product and term has one word in every language. `web/locales/words.json` lists it first, then the words that must
 * not be used for it. A word that ends with `*` stands for every word with that beginning.
 */
import { locales } from '@candor/core/protocol/locales.ts'
import { files, text } from './files.ts'
import { textsOf } from './locales.ts'

type Words = Readonly<Record<string, readonly string[]>>

const table = JSON.parse(text('web/locales/words.json')) as Readonly<Record<string, Words>>

/** Texts that consist of a product's name and must be its word. */
const labels: Readonly<Record<string, readonly string[]>> = {
  spot: ['trade.spot', 'accounts.name.spot'],
  futures: ['trade.futures', 'accounts.name.perp'],
  margin: ['trade.margin'],
  second: ['trade.optionsDesk', 'accounts.name.option'],
  lending: ['accounts.name.lend', 'margin.lending'],
}

/**
 * Texts in which a forbidden word means something else: a button that shows more options, the tag of a perpetual market, and the
 * program of a token on its chain.
 */
const others: ReadonlySet<string> = new Set(['trade.options', 'trade.perp', 'presale.contract'])

/** Pages of prose, including the specification. Code, IDs and addresses in them keep the words of the routes. */
const pages = /^((README|CONTRIBUTING|SECURITY)\.md|docs\/(api|markets|production|redteam|spec\/[\w-]+)\.md)$/

/** One sentence for each forbidden word. */
export function productWordFaults(): readonly string[] {
  const faults = locales.flatMap(({ code: folder }) => {
    const words = table[folder]
    if (words === undefined) return [`words.json: ${folder} is missing`]
    const texts = textsOf(folder)
    return [...labelFaults(folder, words, texts), ...unusedFaults(folder, words, texts), ...strayWords(folder, words, texts)]
  })
  for (const path of files(/^server\/messages\/texts\/\w+\.ts$/)) {
    const folder = path.split('/').at(-1)?.replace('.ts', '') ?? ''
    faults.push(...strayWords(path, table[folder] ?? {}, linesOf(path)))
  }
  for (const path of files(pages)) faults.push(...strayWords(path, table.en ?? {}, linesOf(path)))
  return faults
}

/**
 * where   a folder of texts or a file, named in the sentence
 * texts   by key or line number
 */
export function strayWords(where: string, words: Words, texts: ReadonlyMap<string, string>): readonly string[] {
  return Object.values(words).flatMap(([word, ...never]) => {
    const strays = never.map((stray) => ({ stray, pattern: patternOf(stray) }))
    return [...texts].flatMap(([key, value]) =>
      others.has(key)
        ? []
        : strays.filter(({ pattern }) => pattern.test(value)).map(({ stray }) => `${where}: ${key} says ${stray}, not ${word}`),
    )
  })
}

function patternOf(stray: string): RegExp {
  const start = stray.replace(/\*$/, '')
  // Chinese has no spaces between words, so the word is found anywhere.
  if (/\p{Script=Han}/u.test(stray)) return new RegExp(RegExp.escape(start), 'u')
  return new RegExp(`(?<!\\p{L})${RegExp.escape(start)}${stray.endsWith('*') ? '' : '(?!\\p{L})'}`, 'iu')
}

function labelFaults(folder: string, words: Words, texts: ReadonlyMap<string, string>): readonly string[] {
  return Object.entries(labels).flatMap(([product, keys]) =>
    keys.filter((key) => texts.get(key) !== words[product]?.[0]).map((key) => `${folder}: ${key} is not the word for ${product}`),
  )
}

function unusedFaults(folder: string, words: Words, texts: ReadonlyMap<string, string>): readonly string[] {
  const all = [...texts.values()].join('\n').toLowerCase()
  return Object.values(words).flatMap(([word = '']) =>
    all.includes(word.toLowerCase()) ? [] : [`words.json: ${folder} never says ${word}`],
  )
}

/** Lines by number, without code, IDs of sentences, addresses and links. */
function linesOf(path: string): ReadonlyMap<string, string> {
  const prose = text(path).replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ''))
  return new Map(
    prose
      .split('\n')
      .map((line, index) => [String(index + 1), line.replace(/`[^`]*`|\b[A-Z]+(-[A-Z]+)+-\d{3}\b|\]\([^)]*\)|https?:\S+/g, '')]),
  )
}
