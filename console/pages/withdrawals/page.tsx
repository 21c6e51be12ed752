/** Withdrawals: requests to decide, payments on their way, and those that have ended. */
import { withdrawals as words } from '../../app/coin-texts.ts'
import type { WithdrawalPage, WithdrawalRow, WithdrawalView } from '@candor/core/protocol/wire/console/withdrawals.ts'
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ageOf, amountOf, countOf, hours, timeOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { meQuery } from '../../app/session.ts'
import { Address } from '../../parts/address.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SaveAll } from '../../parts/save-table.tsx'
import { Badge, Card, Empty, Failed, More, Skeleton, type Tone } from '../../parts/ui.tsx'
import { FlagBadges } from './flags.tsx'
import { withdrawalsQuery } from './queries.ts'

const lateMs = hours(24)
const views = Object.keys(words.views) as readonly WithdrawalView[]

export function WithdrawalsPage(): ReactNode {
  const { view = 'requested' }: { readonly view?: WithdrawalView } = useSearch({ strict: false })
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(withdrawalsQuery(view))
  const now = useNow(30_000)
  const rows = data?.pages.flatMap(({ withdrawals }) => withdrawals) ?? []
  const counts = data?.pages[0]?.counts
  const [title, text] = words.empty[view]
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.title}</h1>
        <span className="fg2">{words.text}</span>
        {counts !== undefined && counts.late > 0 && <Badge tone="danger">{words.late(counts.late)}</Badge>}
        {counts !== undefined && counts.troubled > 0 && <Badge tone="warn">{words.troubled(counts.troubled)}</Badge>}
      </div>
      <Card
        title={<Views view={view} {...(counts === undefined ? {} : { counts })} />}
        action={<SaveAll path="/withdrawals/files/list" name={`withdrawals-${view}`} title={words.title} filter={{ view }} />}
      >
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : isPending ? (
          <Skeleton rows={6} />
        ) : rows.length === 0 ? (
          <Empty title={title} text={text} />
        ) : (
          <DataTable label={words.views[view]} columns={columnsOf(view, now, me?.email)} rows={rows} keyOf={({ id }) => String(id)} />
        )}
        <More hasMore={hasNextPage} isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
      </Card>
    </div>
  )
}

function Views({ view, counts }: { readonly view: WithdrawalView; readonly counts?: WithdrawalPage['counts'] }): ReactNode {
  return (
    <span className="views">
      {views.map((one) => (
        <Link
          key={one}
          to="/withdrawals"
          search={{ view: one }}
          className="tab"
          aria-current={one === view ? 'page' : undefined}
          preload={false}
        >
          {words.views[one]}
          {one !== 'ended' && counts !== undefined && <span className="fg3 tn">{countOf(counts[one])}</span>}
        </Link>
      ))}
    </span>
  )
}

const stateTones = { requested: 'warn', approved: 'brand', rejected: 'danger', cancelled: 'plain', paid: 'ok', failed: 'danger' } as const

export function StateBadge({ of: { state, payout, trouble } }: { readonly of: WithdrawalRow }): ReactNode {
  if (state !== 'approved' || payout === null) return <Badge tone={stateTones[state] as Tone}>{words.states[state]}</Badge>
  return (
    <span className="line tight ends">
      <Badge tone="brand">{words.payouts[payout]}</Badge>
      {trouble !== null && <Badge tone="warn">{words.trouble}</Badge>}
    </span>
  )
}

function columnsOf(view: WithdrawalView, now: number, email: string | undefined): readonly Column<WithdrawalRow>[] {
  const request: Column<WithdrawalRow> = {
    id: 'id',
    header: words.request,
    by: ({ id }) => id,
    cell: ({ id, uid, isFrozen }) => (
      <>
        <Link to="/withdrawals/$id" params={{ id: String(id) }} preload={false} className="strong tn">
          {id}
        </Link>
        <div className="fg2 tn line tight">
          {uid}
          {isFrozen && <Badge tone="danger">{words.frozen}</Badge>}
        </div>
      </>
    ),
  }
  const amount: Column<WithdrawalRow> = {
    id: 'amount',
    header: words.amount,
    isEnd: true,
    by: ({ worthUsdt, amount: of }) => Number(worthUsdt ?? of),
    cell: ({ amount: of, asset, worthUsdt }) => (
      <span className="unbroken tn">
        <b>{`${amountOf(of)} ${asset}`}</b>
        {asset !== 'USDT' && worthUsdt !== null && <div className="fg2">{`${amountOf(worthUsdt, 2)} USDT`}</div>}
      </span>
    ),
  }
  const place: Column<WithdrawalRow> = {
    id: 'address',
    header: words.address,
    cell: ({ network, address, flags }) => (
      <>
        <span className="line tight">
          <span className="fg2">{network}</span>
          {flags?.some(({ kind }) => kind === 'look-alike') && <Badge tone="danger">{words.kinds['look-alike']}</Badge>}
        </span>
        {address === null ? <span className="fg3">{words.noAddress}</span> : <Address of={address} />}
      </>
    ),
  }
  return [request, amount, place, ...(view === 'requested' ? waitingColumns(now, email) : laterColumns(view))]
}

function waitingColumns(now: number, email: string | undefined): readonly Column<WithdrawalRow>[] {
  return [
    { id: 'flags', header: words.flags, by: ({ flags }) => flags?.length ?? 0, cell: ({ flags }) => <FlagBadges flags={flags} /> },
    {
      id: 'people',
      header: words.people,
      by: ({ approvals, people }) => approvals.length - people,
      cell: ({ approvals, people }) => (
        <span className="tn" title={approvals.join(', ')}>
          {words.peopleOf(approvals.length, people)}
        </span>
      ),
    },
    {
      id: 'claimed',
      header: words.claimedBy,
      by: ({ claimedBy }) => claimedBy ?? '',
      cell: ({ claimedBy }) =>
        claimedBy === null ? (
          ''
        ) : (
          <Badge tone={claimedBy === email ? 'brand' : 'plain'}>{claimedBy === email ? words.mine : claimedBy}</Badge>
        ),
    },
    {
      id: 'age',
      header: words.age,
      isEnd: true,
      by: ({ requestedAt }) => -requestedAt,
      cell: ({ requestedAt }) => {
        const age = now - requestedAt
        return (
          <span className="unbroken tn" title={timeOf(requestedAt)}>
            {ageOf(age)} {age >= lateMs && <Badge tone="danger">{words.lateBadge}</Badge>}
          </span>
        )
      },
    },
  ]
}

function laterColumns(view: WithdrawalView): readonly Column<WithdrawalRow>[] {
  return [
    { id: 'flags', header: words.flags, by: ({ flags }) => flags?.length ?? 0, cell: ({ flags }) => <FlagBadges flags={flags} /> },
    {
      id: 'when',
      header: words.when,
      by: ({ decidedAt, endedAt }) => endedAt ?? decidedAt ?? 0,
      cell: ({ decidedAt, endedAt, requestedAt }) => (
        <span className="tn">{timeOf((view === 'ended' ? endedAt : decidedAt) ?? requestedAt)}</span>
      ),
    },
    { id: 'state', header: words.state, isEnd: true, by: ({ state }) => state, cell: (row) => <StateBadge of={row} /> },
  ]
}
