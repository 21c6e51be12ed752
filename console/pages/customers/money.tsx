/** A customer's balances, open orders, positions, loans, and sums of Second. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ageOf, amountOf, clockOf, dateOf, resultOf, timeOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, Card, Empty, Failed, Skeleton } from '../../parts/ui.tsx'
import { moneyQuery } from './queries.ts'
import type { Account, Loan, Money, Order, Position } from '@candor/core/protocol/wire/console/customers.ts'

/** Answers that are older say so. */
const staleMs = 2 * 60_000

export function MoneyCards({ uid }: { readonly uid: string }): ReactNode {
  const { data, error, dataUpdatedAt, refetch } = useQuery({ ...moneyQuery(uid), refetchInterval: 30_000 })
  const now = useNow(10_000)
  if (error && data === undefined)
    return (
      <Card title={t.customers.balances}>
        <Failed cause={error} onRetry={() => void refetch()} />
      </Card>
    )
  if (data === undefined)
    return (
      <Card title={t.customers.balances}>
        <Skeleton rows={8} />
      </Card>
    )
  if (data === null)
    return (
      <Card title={t.customers.balances}>
        <Empty title={t.customers.balancesNone} text={t.customers.noUser} />
      </Card>
    )
  return (
    <div className="stack">
      {now - dataUpdatedAt > staleMs && (
        <p className="fault line" role="alert">
          {t.customers.stale(ageOf(now - dataUpdatedAt))}
          <Button size="small" onClick={() => void refetch()}>
            {t.common.retry}
          </Button>
        </p>
      )}
      <Balances uid={uid} accounts={data.accounts} />
      <Orders uid={uid} money={data} />
      <Loans uid={uid} loans={data.loans} />
    </div>
  )
}

/** The cards of the column beside it; nothing while they are not known, which the first column explains. */
export function MoneyBeside({ uid }: { readonly uid: string }): ReactNode {
  const { data } = useQuery(moneyQuery(uid))
  if (!data) return null
  return (
    <>
      <Positions uid={uid} positions={data.positions} />
      <Second sums={data.sums} />
    </>
  )
}

type Line = { readonly account: string; readonly asset: string; readonly available: string; readonly held: string; readonly total: string }

function Balances({ uid, accounts }: { readonly uid: string; readonly accounts: readonly Account[] }): ReactNode {
  const rows = accounts.flatMap(({ kind, symbol, balances }) =>
    balances
      .filter(({ available, held }) => /[1-9]/.test(available + held))
      .map(({ asset, available, held }) => {
        const account = [t.customers.accounts[kind], symbol].filter(Boolean).join(' ')
        return { account, asset, available, held, total: sumOf(available, held) }
      }),
  )
  const columns: readonly Column<Line>[] = [
    { id: 'asset', header: t.customers.asset, by: ({ asset }) => asset, cell: ({ asset }) => <b>{asset}</b> },
    {
      id: 'account',
      header: t.customers.account,
      by: ({ account }) => account,
      cell: ({ account }) => <span className="fg2">{account}</span>,
    },
    ...(['available', 'held', 'total'] as const).map((name) => ({
      id: name,
      header: t.customers[name],
      isEnd: true,
      cell: (row: Line) => <span className={name === 'held' ? 'tn fg2' : 'tn'}>{amountOf(row[name])}</span>,
    })),
  ]
  return (
    <Card
      title={t.customers.balances}
      action={
        <SaveTable
          name={`balances-${uid}`}
          rows={rows}
          cells={({ asset, account, available, held, total }) => ({ asset, account, available, held, total })}
        />
      }
    >
      {rows.length === 0 ? (
        <p className="card-body fg3">{t.customers.balancesNone}</p>
      ) : (
        <DataTable label={t.customers.balances} columns={columns} rows={rows} keyOf={({ account, asset }) => `${account} ${asset}`} />
      )}
    </Card>
  )
}

/** The time of today, the date of other days; the title has both. */
function Placed({ at }: { readonly at: number }): ReactNode {
  return (
    <time className="tn fg2 unbroken" dateTime={new Date(at).toISOString()} title={`${timeOf(at)} UTC`}>
      {dateOf(at) === dateOf(Date.now()) ? clockOf(at) : dateOf(at)}
    </time>
  )
}

/** Without the zeros at its end. */
const shortOf = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Exact sum of two decimals. */
function sumOf(a: string, b: string): string {
  const digits = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0))
  const units = (text: string): bigint => {
    const [whole = '0', rest = ''] = text.split('.')
    return BigInt(whole + rest.padEnd(digits, '0'))
  }
  const sum = String(units(a) + units(b)).padStart(digits + 1, '0')
  return digits === 0 ? sum : `${sum.slice(0, -digits)}.${sum.slice(-digits)}`.replace(/\.?0+$/, '')
}

function Orders({ uid, money: { orders, orderCount } }: { readonly uid: string; readonly money: Money }): ReactNode {
  const columns: readonly Column<Order>[] = [
    {
      id: 'placed',
      header: t.customers.placed,
      by: (row) => row.placedAt,
      cell: (row) => <Placed at={row.placedAt} />,
    },
    {
      id: 'market',
      header: t.customers.market,
      by: (row) => row.symbol,
      cell: (row) => <span className="unbroken">{`${t.customers.products[row.product]} ${row.symbol}`}</span>,
    },
    {
      id: 'side',
      header: t.customers.side,
      by: (row) => row.side,
      cell: (row) => <span className={row.side === 'buy' ? 'up' : 'down'}>{t.customers.sides[row.side]}</span>,
    },
    {
      id: 'price',
      header: t.customers.price,
      isEnd: true,
      cell: (row) => <span className="tn">{row.price === undefined ? t.customers.atMarket : amountOf(row.price)}</span>,
    },
    {
      id: 'quantity',
      header: t.customers.quantity,
      isEnd: true,
      cell: (row) => <span className="tn">{amountOf(row.quantity ?? row.spend ?? '0')}</span>,
    },
    {
      id: 'executed',
      header: t.customers.executed,
      isEnd: true,
      cell: (row) => <span className="tn fg2">{row.status === 'pending' ? t.customers.waits : amountOf(row.executed)}</span>,
    },
  ]
  return (
    <Card
      title={
        <>
          {t.customers.orders}
          {orderCount > orders.length && <span className="fg3 small"> {t.customers.ordersOf(orders.length, orderCount)}</span>}
        </>
      }
      action={
        <SaveTable
          name={`orders-${uid}`}
          rows={orders}
          cells={({ id, placedAt, product, symbol, side, type, price = '', quantity = '', spend = '', executed, status }) => ({
            ...{ id, placed: new Date(placedAt).toISOString(), product, symbol, side, type, price, quantity, spend, executed, status },
          })}
        />
      }
    >
      {orders.length === 0 ? (
        <p className="card-body fg3">{t.customers.ordersNone}</p>
      ) : (
        <DataTable label={t.customers.orders} columns={columns} rows={orders} keyOf={({ id }) => id} />
      )}
    </Card>
  )
}

const toneOf = (result: string): string => (/[1-9]/.test(result) ? (result.startsWith('-') ? 'tn down' : 'tn up') : 'tn')

function Positions({ uid, positions }: { readonly uid: string; readonly positions: readonly Position[] }): ReactNode {
  const columns: readonly Column<Position>[] = [
    {
      id: 'market',
      header: t.customers.market,
      by: (row) => row.symbol,
      cell: (row) => (
        <span className="line tight">
          <b>{row.symbol.replace(/PERP$/, '')}</b>
          <Badge tone={row.side === 'buy' ? 'ok' : 'danger'}>{`${t.customers.direction[row.side]} ${row.leverage}×`}</Badge>
        </span>
      ),
    },
    { id: 'size', header: t.customers.size, isEnd: true, cell: (row) => <span className="tn">{amountOf(shortOf(row.quantity))}</span> },
    { id: 'entry', header: t.customers.entry, isEnd: true, cell: (row) => <span className="tn">{amountOf(row.entryPrice, 2)}</span> },
    {
      id: 'liquidation',
      header: t.customers.liquidation,
      isEnd: true,
      cell: (row) => <span className="tn amber">{row.liquidationPrice === null ? '—' : amountOf(row.liquidationPrice)}</span>,
    },
    {
      id: 'profit',
      header: t.customers.profit,
      isEnd: true,
      cell: (row) => (row.profitUsdt === null ? '—' : <span className={toneOf(row.profitUsdt)}>{resultOf(row.profitUsdt)}</span>),
    },
  ]
  return (
    <Card
      title={t.customers.positions}
      action={
        <SaveTable
          name={`positions-${uid}`}
          rows={positions}
          cells={({ id, symbol, side, mode, leverage, quantity, entryPrice, liquidationPrice, mark, profitUsdt }) => ({
            ...{ id, symbol, side, mode, leverage: String(leverage), quantity, entryPrice },
            ...{ liquidationPrice: liquidationPrice ?? '', mark: mark ?? '', profitUsdt: profitUsdt ?? '' },
          })}
        />
      }
    >
      {positions.length === 0 ? (
        <p className="card-body fg3">{t.customers.positionsNone}</p>
      ) : (
        <DataTable label={t.customers.positions} columns={columns} rows={positions} keyOf={({ id }) => id} />
      )}
    </Card>
  )
}

function Loans({ uid, loans }: { readonly uid: string; readonly loans: readonly Loan[] }): ReactNode {
  const accountOf = ({ kind, symbol }: Loan): string => [t.customers.accounts[kind], symbol].filter(Boolean).join(' ')
  const columns: readonly Column<Loan>[] = [
    { id: 'asset', header: t.customers.asset, by: (row) => row.asset, cell: (row) => <b>{row.asset}</b> },
    { id: 'account', header: t.customers.account, cell: (row) => <span className="fg2">{accountOf(row)}</span> },
    { id: 'principal', header: t.customers.principal, isEnd: true, cell: (row) => <span className="tn">{amountOf(row.principal)}</span> },
    { id: 'interest', header: t.customers.interest, isEnd: true, cell: (row) => <span className="tn">{amountOf(row.interest)}</span> },
    { id: 'level', header: t.customers.level, isEnd: true, cell: (row) => <span className="tn">{row.level ?? '—'}</span> },
  ]
  return (
    <Card
      title={t.customers.loans}
      action={
        <SaveTable
          name={`loans-${uid}`}
          rows={loans}
          cells={(row) => ({
            asset: row.asset,
            account: accountOf(row),
            principal: row.principal,
            interest: row.interest,
            level: row.level ?? '',
          })}
        />
      }
    >
      {loans.length === 0 ? (
        <p className="card-body fg3">{t.customers.loansNone}</p>
      ) : (
        <DataTable label={t.customers.loans} columns={columns} rows={loans} keyOf={(row) => `${accountOf(row)} ${row.asset}`} />
      )}
    </Card>
  )
}

function Second({ sums: { openStakesUsdt, settled } }: Pick<Money, 'sums'>): ReactNode {
  return (
    <Card title={t.customers.second}>
      <dl className="card-body pairs">
        <div>
          <dt>{t.customers.stakes}</dt>
          <dd className="tn">{`${amountOf(openStakesUsdt, 2)} USDT`}</dd>
        </div>
        <div>
          <dt>{t.customers.settled}</dt>
          <dd className="tn">{t.customers.settledOf(settled.orders, amountOf(settled.stakesUsdt, 2))}</dd>
        </div>
        <div>
          <dt>{t.customers.result}</dt>
          <dd className={toneOf(settled.resultUsdt)}>{`${resultOf(settled.resultUsdt)} USDT`}</dd>
        </div>
      </dl>
      <p className="card-body fg3 small">{t.customers.secondText}</p>
    </Card>
  )
}
