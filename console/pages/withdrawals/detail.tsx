/** One withdrawal: what was found, where it goes, who its customer is, the decision, and the payment. */
import { withdrawals as words } from '../../app/coin-texts.ts'
import type { EarlierMove, WithdrawalDetail } from '@candor/core/protocol/wire/console/withdrawals.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ageOf, amountOf, clockOf, dateOf, regionOf, timeOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { Address } from '../../parts/address.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, buttonClass, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { Decision } from './decision.tsx'
import { FlagsCard } from './flags.tsx'
import { StateBadge } from './page.tsx'
import { Payment } from './payment.tsx'
import { Ending } from './ending.tsx'
import { Signing } from './signing.tsx'
import { withdrawalQuery } from './queries.ts'

export function WithdrawalDetailPage(): ReactNode {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false })
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(withdrawalQuery(id))
  if (data === undefined || me === null)
    return <div className="page">{error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}</div>
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.number(data.id)}</h1>
        <StateBadge of={data} />
        {data.customer.frozenAt !== null && <Badge tone="danger">{words.frozen}</Badge>}
        <Link to="/withdrawals" search={{}} className={buttonClass({ look: 'quiet' })}>
          {words.back}
        </Link>
      </div>
      <Facts of={data} mayRead={me.mayDo.includes('customers.read')} />
      <div className="finding-grid">
        <div className="stack">
          <FlagsCard of={data} />
          <Destination of={data} />
          {data.payoutOf !== null && <Payment of={data} payout={data.payoutOf} />}
          {(data.isEndable || data.ending !== null) && <Ending of={data} me={me} />}
          {data.signing !== null && <Signing of={data} signing={data.signing} me={me} />}
        </div>
        <div className="stack">
          <Decision of={data} me={me} />
          <Moves moves={data.moves} />
        </div>
      </div>
    </div>
  )
}

function Facts({ of, mayRead }: { readonly of: WithdrawalDetail; readonly mayRead: boolean }): ReactNode {
  const { amount, asset, fee, arrives, worthUsdt, network, customer, requestedAt, state, approvals, people } = of
  const { uid, registeredAt, certification, region, closedUntil } = customer
  const now = useNow(30_000)
  const facts: readonly (readonly [name: string, value: ReactNode, more: string])[] = [
    [
      words.amount,
      <b key="amount">{`${amountOf(amount)} ${asset}`}</b>,
      worthUsdt === null || asset === 'USDT' ? '' : `${amountOf(worthUsdt, 2)} USDT`,
    ],
    [words.arrives, `${amountOf(arrives)} ${asset}`, `${words.fee} ${amountOf(fee)}`],
    [words.network, network, ''],
    [
      words.customer,
      mayRead ? (
        <Link key="uid" to="/customers/$uid" params={{ uid }} preload={false}>
          {uid}
        </Link>
      ) : (
        uid
      ),
      closedUntil === null ? '' : words.closedUntil(timeOf(closedUntil)),
    ],
    [
      words.account,
      words.since(dateOf(registeredAt)),
      [words.certified[certification], region === null ? '' : regionOf(region)].filter(Boolean).join(' · '),
    ],
    [
      words.requested,
      state === 'requested' ? t.common.ago(ageOf(now - requestedAt)) : timeOf(requestedAt),
      state === 'requested' ? timeOf(requestedAt) : '',
    ],
    [words.people, state === 'requested' || people > 0 ? words.peopleOf(approvals.length, people) : words.nobody, ''],
  ]
  return (
    <Card title={words.request}>
      <dl className="card-body customer-facts seven tn">
        {facts.map(([name, value, more]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            {more !== '' && <dd className="more">{more}</dd>}
          </div>
        ))}
      </dl>
    </Card>
  )
}

function Destination({ of: { destination, network } }: { readonly of: WithdrawalDetail }): ReactNode {
  if (destination === null)
    return (
      <Card title={words.destination}>
        <p className="card-body fg2">{words.noAddress}</p>
      </Card>
    )
  const { address, label, owner, exchange, beneficiary, addedAt, removedAt, paidBefore, alike } = destination
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.label, label],
    [words.owner, owner === 'own' ? words.own : words.exchangeOf(exchange ?? '')],
    ...(beneficiary === null ? [] : [[words.beneficiary, beneficiary] as const]),
    [words.added, timeOf(addedAt)],
    ...(removedAt === null ? [] : [[words.removed, timeOf(removedAt)] as const]),
    [words.paidBefore, words.times(paidBefore)],
    ...alike.map((one) => [words.alike, <Address key={one} of={one} unlike={address} />] as const),
  ]
  return (
    <Card
      title={
        <>
          {words.destination} <small className="fg3 small plain">{network}</small>
        </>
      }
    >
      <div className="card-body stack">
        <p className="address-large">
          <Address of={address} />
        </p>
        <dl className="facts">
          {facts.map(([name, value], at) => (
            <div key={at}>
              <dt>{name}</dt>
              <dd className="tn">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  )
}

function Moves({ moves }: { readonly moves: readonly EarlierMove[] }): ReactNode {
  return (
    <Card title={words.moves} action={<SaveTable name="earlier-moves" rows={moves} cells={cellsOf} />}>
      {moves.length === 0 ? (
        <p className="card-body fg2">{words.movesNone}</p>
      ) : (
        <DataTable label={words.moves} columns={moveColumns} rows={moves} keyOf={({ kind, at, amount }) => `${kind}${at}${amount}`} />
      )}
    </Card>
  )
}

const cellsOf = ({ kind, asset, amount, network, state, at }: EarlierMove): Readonly<Record<string, string>> => ({
  ...{ kind, asset, amount, network, state, at: new Date(at).toISOString() },
})

const moveColumns: readonly Column<EarlierMove>[] = [
  {
    id: 'when',
    header: words.when,
    by: ({ at }) => at,
    cell: ({ at }) => (
      <span className="tn unbroken">
        {dateOf(at)}
        <div className="fg3">{clockOf(at)}</div>
      </span>
    ),
  },
  {
    id: 'kind',
    header: words.move,
    by: ({ kind }) => kind,
    cell: ({ kind, network }) => (
      <>
        {words.moveKinds[kind]}
        <div className="fg3">{network}</div>
      </>
    ),
  },
  {
    id: 'amount',
    header: words.amount,
    isEnd: true,
    by: ({ amount }) => Number(amount),
    cell: ({ amount, asset }) => <span className="tn unbroken">{`${amountOf(amount)} ${asset}`}</span>,
  },
  { id: 'state', header: words.state, isEnd: true, by: ({ state }) => state, cell: ({ state }) => words.moveStates[state] ?? state },
]
