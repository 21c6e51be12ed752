/** The treasury: coins on chains beside the books, what differs, sweeps, and what the signer was told. */
import { treasury as words, withdrawals } from '../../app/coin-texts.ts'
import type { Treasury, TreasuryFinding, TreasuryJob, TreasuryRole, TreasuryRow } from '@candor/core/protocol/wire/console/treasury.ts'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ageOf, amountOf, countOf, timeOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { Address } from '../../parts/address.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Transaction } from '../../parts/transaction.tsx'
import { Badge, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { Naming } from './naming.tsx'
import { treasuryQuery } from './queries.ts'

const treasuryRoles = Object.keys(words.roles) as readonly TreasuryRole[]
const digits = 2
const finerDigits = 4

export function TreasuryPage(): ReactNode {
  const { data, error, refetch } = useQuery(treasuryQuery)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.title}</h1>
        <span className="fg2">{words.text}</span>
      </div>
      {data !== undefined ? <Shown of={data} /> : error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}
    </div>
  )
}

function Shown({ of }: { readonly of: Treasury }): ReactNode {
  const { rows, findings, jobs, floatMax, stuck } = of
  return (
    <>
      <Signer of={of} />
      <Sheet
        {...{ title: words.coins, text: words.coinsText, columns: coinColumns(floatMax), rows, file: '/treasury/files/coins' }}
        keyOf={({ network, asset }) => `${network} ${asset}`}
        empty={`${words.none}. ${words.noneText}`}
      />
      <Sheet
        {...{ title: words.differences, text: words.differencesText, columns: findingColumns, rows: findings }}
        keyOf={({ id }) => String(id)}
        file="/treasury/files/differences"
        empty={words.noDifferences}
      />
      <Sheet
        {...{ title: words.jobs, text: words.jobsText, columns: jobColumns, rows: jobs, file: '/treasury/files/jobs' }}
        keyOf={({ id }) => String(id)}
        empty={words.noJobs}
      >
        {stuck > 0 && <p className="card-body amber">{words.stuck(stuck)}</p>}
      </Sheet>
    </>
  )
}

function Signer({ of: { beat, beatMaxMs, findings } }: { readonly of: Treasury }): ReactNode {
  const now = useNow(5_000)
  const age = beat === null ? 0 : now - beat.at
  const isStale = beat !== null && age > beatMaxMs
  const isStopped = findings.some(({ stops, closedAt }) => stops && closedAt === null)
  const isWell = beat !== null && beat.isMatch && beat.refusal === null && !isStale
  return (
    <Card title={words.signer}>
      <div className="card-body line signer-line" role="status">
        {isWell ? <CircleCheck size={18} className="up" aria-hidden="true" /> : <CircleX size={18} className="down" aria-hidden="true" />}
        <span>
          <b>{beat === null ? words.never : beat.isMatch ? words.matches : words.differs}</b>{' '}
          <span className="fg2 tn">{beat === null ? words.neverText : words.told(ageOf(age))}</span>
          {isStale && <div className="down">{words.stale(ageOf(age))}</div>}
          {beat !== null && beat.refusal !== null && <div className="down">{words.refusedBy(beat.refusal)}</div>}
          {isStopped && <div className="down">{words.stopped}</div>}
        </span>
      </div>
    </Card>
  )
}

type SumProps = { readonly of: string; readonly asset: string; readonly isStrong?: boolean }

/** Digits of one length in a column, cut off; all of them are in the title. */
function Sum({ of, asset, isStrong = false }: SumProps): ReactNode {
  return (
    <span className={isStrong ? 'tn unbroken strong' : 'tn unbroken'} title={amountOf(of)}>
      {amountOf(of, asset === 'USDT' ? digits : finerDigits)}
    </span>
  )
}

function coinColumns(floatMax: string): readonly Column<TreasuryRow>[] {
  const role = (name: TreasuryRole): Column<TreasuryRow> => ({
    id: name,
    header: words.roles[name],
    isEnd: true,
    by: ({ chain }) => Number(chain[name] ?? 0),
    cell: ({ chain, asset }) => (chain[name] === null ? <span className="fg3">–</span> : <Sum of={chain[name]} asset={asset} />),
  })
  return [
    {
      id: 'asset',
      header: words.asset,
      by: ({ asset, network }) => `${network} ${asset}`,
      cell: ({ asset, network, isForFees, block, at }) => (
        <span className="unbroken">
          <b>{asset}</b> <span className="fg2">{network}</span>
          {isForFees && <span className="fg3 small"> · {words.fees}</span>}
          <div className="fg3 small tn" {...(at === null ? {} : { title: timeOf(at) })}>
            {block === null ? words.notCompared : words.block(countOf(block))}
          </div>
        </span>
      ),
    },
    ...treasuryRoles.map(role),
    {
      id: 'total',
      header: words.total,
      isEnd: true,
      by: ({ total }) => Number(total),
      cell: ({ total, asset }) => <Sum of={total} asset={asset} isStrong />,
    },
    {
      id: 'customers',
      header: words.customers,
      isEnd: true,
      by: ({ customers }) => Number(customers ?? 0),
      cell: ({ customers, unfinal, isForFees, asset }) =>
        customers === null ? (
          <span className="fg3">{isForFees ? '–' : words.away}</span>
        ) : (
          <>
            <Sum of={customers} asset={asset} isStrong />
            {unfinal !== null && Number(unfinal) > 0 && <div className="fg3 small tn">{words.unfinal(amountOf(unfinal))}</div>}
          </>
        ),
    },
    {
      id: 'leaving',
      header: words.leaving,
      isEnd: true,
      by: ({ leaving }) => Number(leaving),
      cell: ({ leaving, outflow, asset }) => (
        <>
          <Sum of={leaving} asset={asset} />
          {Number(outflow) > 0 && <div className="fg3 small tn">{words.outflow(amountOf(outflow))}</div>}
        </>
      ),
    },
    {
      id: 'share',
      header: words.share,
      isEnd: true,
      by: ({ share }) => Number(share ?? 0),
      cell: ({ share }) =>
        share === null ? (
          ''
        ) : (
          <span className={Number(share) > Number(floatMax) ? 'amber tn' : 'tn'}>{words.shareOf(share, floatMax)}</span>
        ),
    },
  ]
}

const findingColumns: readonly Column<TreasuryFinding>[] = [
  {
    id: 'kind',
    header: words.kind,
    by: ({ kind }) => kind,
    cell: (finding) => (
      <>
        <b>{words.kinds[finding.kind]?.title ?? finding.kind}</b>
        <div className="fg2 why">{words.kinds[finding.kind]?.advice ?? ''}</div>
        <Naming of={finding} />
      </>
    ),
  },
  {
    id: 'amount',
    header: words.amount,
    isEnd: true,
    by: ({ amount }) => Number(amount),
    cell: ({ amount, asset, network }) => (
      <>
        <b className="tn unbroken">{`${amountOf(amount)} ${asset}`}</b>
        <div className="fg2">{network}</div>
      </>
    ),
  },
  {
    id: 'holder',
    header: words.holder,
    cell: ({ holder, txid, url }) => (
      <>
        {holder === 'core' ? words.core : <Address of={holder} />}
        {txid !== '' && (
          <div>
            <Transaction id={txid} url={url} />
          </div>
        )}
      </>
    ),
  },
  {
    id: 'found',
    header: words.found,
    by: ({ foundAt }) => foundAt,
    cell: ({ foundAt }) => <span className="tn unbroken">{timeOf(foundAt)}</span>,
  },
  {
    id: 'state',
    header: words.state,
    isEnd: true,
    by: ({ closedAt }) => closedAt ?? 0,
    cell: ({ stops, closedAt }) =>
      closedAt !== null ? (
        <Badge>{words.closed}</Badge>
      ) : (
        <Badge tone={stops ? 'danger' : 'warn'}>{stops ? words.stops : words.open}</Badge>
      ),
  },
]

const jobColumns: readonly Column<TreasuryJob>[] = [
  {
    id: 'kind',
    header: words.job,
    by: ({ kind }) => kind,
    cell: ({ kind, network, places }) => `${words.jobKinds[kind] ?? kind} · ${network} · ${words.places(places)}`,
  },
  {
    id: 'amount',
    header: words.amount,
    isEnd: true,
    by: ({ amount }) => Number(amount ?? 0),
    cell: ({ amount, asset }) => <span className="tn unbroken">{amount === null ? asset : `${amountOf(amount)} ${asset}`}</span>,
  },
  { id: 'since', header: words.since, by: ({ madeAt }) => madeAt, cell: ({ madeAt }) => <span className="tn">{timeOf(madeAt)}</span> },
  {
    id: 'state',
    header: words.state,
    isEnd: true,
    by: ({ state }) => state,
    cell: ({ state, trouble }) => (
      <>
        <Badge tone={trouble === null ? 'brand' : 'warn'}>{words.jobStates[state] ?? state}</Badge>
        {trouble !== null && <div className="fg2 small">{withdrawals.troubles[trouble]?.what ?? trouble}</div>}
      </>
    ),
  },
]
