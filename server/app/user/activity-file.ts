import { csvLine } from '@candor/core/protocol/csv.ts'
import type { WireActivity } from '@candor/core/protocol/wire/activity.ts'
import { csvOf } from '../../http/csv.ts'
import type { ActivityAsker, ActivityFilter, ActivityReader } from '../../activity/reader.ts'

/** Entries of one file, the newest ones. The others are got by days. */
const entriesMax = 100_000
const pageSize = 500
const columns = ['time', 'kind', 'action', 'symbol', 'order', 'seq', 'key', 'session', 'device', 'ip'] as const

export type FileFilter = Omit<ActivityFilter, 'before' | 'limit'>

/** Entries in the order of the file; the last page says whether older ones are missing. */
type Page = { readonly items: readonly WireActivity[]; readonly isCut: boolean }

/** The activity as a file of at most `max` entries. If older ones are missing, its last line or its last element says so. */
export function activityFile(
  reader: Pick<ActivityReader, 'page'>,
  asker: ActivityAsker,
  { format, ...filter }: FileFilter & { readonly format: 'csv' | 'json' },
  max: number = entriesMax,
): AsyncGenerator<string> {
  const pages = pagesOf(reader, asker, filter, max)
  const cutText = `Cut: only the newest ${max} entries are here. Choose days to get the others.`
  return format === 'csv' ? csvFile(pages, cutText) : jsonFile(pages, cutText)
}

async function* pagesOf(reader: Pick<ActivityReader, 'page'>, asker: ActivityAsker, filter: FileFilter, max: number): AsyncGenerator<Page> {
  let before: string | undefined
  for (let left = max; left > 0; ) {
    const { items, next } = await reader.page(asker, { ...filter, before, limit: Math.min(left, pageSize) })
    left -= items.length
    yield { items, isCut: left === 0 && next !== undefined }
    if (next === undefined) return
    before = next
  }
}

async function* csvFile(pages: AsyncIterable<Page>, cutText: string): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`
  for await (const { items, isCut } of pages) {
    const rows = items.map((entry) => ({ ...entry, time: new Date(entry.at).toISOString() }))
    yield csvOf(columns, rows).slice(columns.join(',').length + 2)
    if (isCut) yield `${csvLine([cutText])}\r\n`
  }
}

async function* jsonFile(pages: AsyncIterable<Page>, cutText: string): AsyncGenerator<string> {
  let start = '['
  for await (const { items, isCut } of pages)
    for (const element of isCut ? [...items, { cut: cutText }] : items) {
      yield start + JSON.stringify(element)
      start = ',\n'
    }
  yield start === '[' ? '[]\n' : ']\n'
}
