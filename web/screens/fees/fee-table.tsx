import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Coin } from '../../parts/funds/coin.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'

export type Row = { readonly name: string; readonly coin?: string; readonly cells: readonly string[] }

/** A kind of fees: its name, its rule in a sentence, its table, and the way to the product. */
export function FeeSection({
  title,
  hint,
  to,
  go,
  children,
}: {
  readonly title: string
  readonly hint: string
  readonly to?: string
  readonly go?: string
  readonly children?: ReactNode
}) {
  return (
    <section className="flex flex-col gap-3 px-4">
      <h2 className="text-17 font-semibold">{title}</h2>
      {children}
      <p className="text-13 text-pretty text-fg2">{hint}</p>
      {to !== undefined && (
        <a href={`#${to}`} className="-my-1.5 inline-flex min-h-11 items-center gap-0.5 self-start text-13 font-semibold text-brand">
          {go}
          <ChevronRight size={16} strokeWidth={1.75} aria-hidden />
        </a>
      )}
    </section>
  )
}

/** Rows of terms; a skeleton until they are there. */
export function FeeTable({
  name = '',
  columns,
  rows,
  error,
}: {
  readonly name?: string
  readonly columns?: readonly string[]
  readonly rows: readonly Row[] | undefined
  readonly error: Error | null
}) {
  if (rows === undefined) return error === null ? <Skeleton className="h-40 w-full rounded-card" /> : <Failure error={error} isSmall />
  return (
    <div className="overflow-hidden rounded-card bg-s1">
      <table className="w-full text-13">
        {columns !== undefined && (
          <thead className="text-12 text-fg3">
            <tr>
              <th scope="col" className="ps-4 pt-3 pb-2 text-start font-medium">
                {name}
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="ps-2 pt-3 pb-2 text-end align-bottom font-medium last:pe-4">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody className="tn">
          {rows.map(({ name: row, coin, cells }) => (
            <tr key={row}>
              <th scope="row" className="py-2.5 ps-4 text-start font-normal">
                <span className="flex items-center gap-2">
                  {coin !== undefined && <Coin asset={coin} size={20} />}
                  {row}
                </span>
              </th>
              {cells.map((cell, at) => (
                <td key={columns?.[at] ?? at} className="py-2.5 ps-2 text-end whitespace-nowrap last:pe-4">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
