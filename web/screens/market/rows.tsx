import type { MarketSortBy } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useFavourites } from '../../app/account.ts'
import { rowHeight, type RowActions, StarRow } from '../../parts/market/star-row.tsx'

/** Only the rows near the window are there. `shows`: the column whose value is written below the price, where it has no place of its own. */
export function MarketRows({
  rows,
  shows,
  current,
  ...actions
}: RowActions & {
  readonly rows: readonly WireMarket[]
  readonly shows: MarketSortBy | null
  /** The market that is shown beside the list. */
  readonly current: string | undefined
}) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const { symbols, toggle } = useFavourites()
  // The list moves when what is above it changes its height.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [rows])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (at) => rows[at]?.symbol ?? at,
  })
  return (
    <ul ref={list} className="@container relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const market = rows[index]
        return market === undefined ? null : (
          <li
            key={key}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            aria-current={market.symbol === current ? true : undefined}
            className="absolute inset-x-0 top-0"
            style={{ height: rowHeight, transform: `translateY(${start - top}px)` }}
          >
            <StarRow market={market} shows={shows} isFavourite={symbols.includes(market.symbol)} onStar={toggle} {...actions} />
          </li>
        )
      })}
    </ul>
  )
}
