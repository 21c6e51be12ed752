import type { FastifyReply } from 'fastify'
import { csvLine } from '@candor/core/protocol/csv.ts'
import { csvOf } from '../http/csv.ts'

/** Rows of one file, the newest ones. Routes read one more, so that a file that lacks rows says so. */
export const fileMax = 10_000

/** Tells the page that the file lacks rows: how many it has. */
export const cutHeader = 'candor-rows-cut'

/** Sends rows as a file. Of more than `fileMax` the first ones, with a header and a last line that say so. */
export function fileOf<C extends string>(
  reply: FastifyReply,
  name: string,
  { columns, rows }: { readonly columns: readonly C[]; readonly rows: readonly Readonly<Record<C, unknown>>[] },
): string {
  reply.header('content-type', 'text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}.csv"`)
  if (rows.length <= fileMax) return csvOf(columns, rows)
  reply.header(cutHeader, fileMax)
  return `${csvOf(columns, rows.slice(0, fileMax))}${csvLine([cutText])}\r\n`
}

const cutText = `Cut: only the newest ${fileMax} rows are here. Filter the table to get the others.`
