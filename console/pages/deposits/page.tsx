/** Deposits that are not as usual: held, of a wrong token, failed, dropped and refused. */
import { deposits as words } from '../../app/coin-texts.ts'
import type { DepositPage, DepositRow, DepositView } from '@candor/core/protocol/wire/console/deposits.ts'
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ageOf, amountOf, countOf, timeOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { meQuery } from '../../app/session.ts'
import type { Me } from '../../app/wire.ts'
import { Address } from '../../parts/address.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SaveAll } from '../../parts/save-table.tsx'
import { Transaction } from '../../parts/transaction.tsx'
import { Card, Empty, Failed, More, Skeleton } from '../../parts/ui.tsx'
import { Deciding } from './deciding.tsx'
import { depositsQuery } from './queries.ts'

const views = Object.keys(words.views) as readonly DepositView[]

export function DepositsPage(): ReactNode {
  const { view = 'held' }: { readonly view?: DepositView } = useSearch({ strict: false })
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(depositsQuery(view))
  const now = useNow(30_000)
  const rows = data?.pages.flatMap(({ deposits }) => deposits) ?? []
  const counts = data?.pages[0]?.counts
  if (me === null) return null
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.title}</h1>
        <span className="fg2">{words.text}</span>
      </div>
      <Card
        title={<Views view={view} {...(counts === undefined ? {} : { counts })} />}
        action={<SaveAll path="/deposits/files/list" name={`deposits-${view}`} title={words.title} filter={{ view }} />}
      >
        <p className="card-body fg2 view-text">{words.about[view]}</p>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : isPending ? (
          <Skeleton rows={6} />
        ) : rows.length === 0 ? (
          <Empty title={words.empty(words.views[view])} text={words.emptyText} />
        ) : (
          <DataTable label={words.views[view]} columns={columnsOf(view, now, me)} rows={rows} keyOf={({ id }) => String(id)} />
        )}
        <More hasMore={hasNextPage} isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
      </Card>
    </div>
  )
}

function Views({ view, counts }: { readonly view: DepositView; readonly counts?: DepositPage['counts'] }): ReactNode {
  return (
    <span className="views">
      {views.map((one) => (
        <Link
          key={one}
          to="/deposits"
          search={{ view: one }}
          className="tab"
          aria-current={one === view ? 'page' : undefined}
          preload={false}
        >
          {words.views[one]}
          {counts !== undefined && <span className="fg3 tn">{countOf(counts[one])}</span>}
        </Link>
      ))}
    </span>
  )
}

function columnsOf(view: DepositView, now: number, me: Me): readonly Column<DepositRow>[] {
  return [
    {
      id: 'deposit',
      header: words.deposit,
      by: ({ id }) => id,
      cell: ({ uid, network }) => (
        <>
          {me.mayDo.includes('customers.read') ? (
            <Link to="/customers/$uid" params={{ uid }} preload={false} className="strong tn">
              {uid}
            </Link>
          ) : (
            <b className="tn">{uid}</b>
          )}
          <div className="fg2">{network}</div>
        </>
      ),
    },
    {
      id: 'amount',
      header: words.amount,
      isEnd: true,
      by: ({ amount }) => Number(amount),
      cell: ({ amount, asset, isRaw }) => (
        <span className="tn unbroken">
          <b>{`${amountOf(amount)} ${asset ?? ''}`}</b>
          {(asset === null || isRaw) && <div className="fg3">{asset === null ? words.unknown : words.raw}</div>}
        </span>
      ),
    },
    {
      id: 'way',
      header: words.transaction,
      cell: ({ sender, txid, url, block }) => (
        <>
          <Transaction id={txid} url={url} />
          <div className="fg3 small tn">{words.block(countOf(block))}</div>
          <div>
            <span className="fg3 small">{words.sender}</span> <Address of={sender} />
          </div>
        </>
      ),
    },
    {
      id: 'why',
      header: words.why,
      by: ({ why }) => why ?? '',
      cell: ({ why, contract, state }) => (
        <span className="why">
          {state === 'wrong-token' ? (
            <span className="hash tn">{contract}</span>
          ) : state === 'orphaned' ? (
            why === 'credited' && words.credited
          ) : (
            words.whyOf(why)
          )}
        </span>
      ),
    },
    {
      id: 'age',
      header: words.age,
      isEnd: true,
      by: ({ seenAt }) => -seenAt,
      cell: ({ seenAt }) => (
        <span className="tn unbroken" title={timeOf(seenAt)}>
          {ageOf(now - seenAt)}
        </span>
      ),
    },
    ...(view === 'orphaned' ? [debts] : []),
    ...(view === 'held' || view === 'refused' ? [decision(now, me)] : []),
  ]
}

const debts: Column<DepositRow> = {
  id: 'debt',
  header: words.debt,
  isEnd: true,
  cell: ({ debts: owed }) =>
    owed.length === 0 ? (
      <span className="fg3">{words.noDebt}</span>
    ) : (
      <b className="down tn unbroken">{owed.map(({ amount, asset }) => `${amountOf(amount)} ${asset}`).join(', ')}</b>
    ),
}

const decision = (now: number, me: Me): Column<DepositRow> => ({
  id: 'decision',
  header: words.decision,
  isEnd: true,
  cell: (row) =>
    row.state === 'held' ? (
      <Deciding of={row} now={now} me={me} />
    ) : (
      row.last !== null && (
        <span className="answer">
          “{row.last.reason}”<div className="fg3 small">{words.decidedBy(row.last.by.join(', '), timeOf(row.last.at))}</div>
        </span>
      )
    ),
})
