/** Second: its terms, its house fund, and sums of the running orders by market. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { countOf } from '../../app/format.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { TextField } from '../../parts/fields.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { OpenDecisions } from './decisions.tsx'
import { TermsForm } from './form.tsx'
import { Halt } from './halt.tsx'
import { houseQuery } from './queries.ts'
import { TermsTable } from './table.tsx'
import { grouped } from './values.ts'
import type { House } from './wire.ts'

export function HousePage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(houseQuery)
  const [firm, setFirm] = useState('')
  const [amount, setAmount] = useState('')
  const mayDecide = me?.mayDo.includes('house.decide') ?? false
  const paid = amount.trim().replaceAll(',', '')
  const isPaying = /^[1-9][0-9]{8}$/.test(firm) && Number(paid) > 0
  const isTaking = data?.terms?.['isOpen'] === true
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.terms.house}</h1>
        {data && <Badge tone={data.isOpen ? 'ok' : 'warn'}>{data.isOpen ? t.terms.opened : t.terms.closed}</Badge>}
        {mayDecide && isTaking && <Halt area="house" kind="second" subject="" name={t.terms.house} />}
      </div>
      <OpenDecisions area="house" />
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={8} />
      ) : (
        <>
          <div className="two">
            <Fund house={data} />
            <Card
              title={t.terms.exposure}
              action={
                <span className="line">
                  <span className="fg3">{t.terms.directions}</span>
                  <SaveTable name="second-exposure" rows={data.markets} cells={cellsOf} />
                </span>
              }
            >
              <DataTable label={t.terms.exposure} columns={columns} rows={data.markets} keyOf={({ symbol }) => symbol} />
            </Card>
          </div>
          {data.terms !== null && mayDecide && (
            <TermsForm
              title={t.terms.propose}
              {...{ area: 'house', kind: 'second', subject: '', now: data.terms, start: data.terms, assets: [] }}
              payment={isPaying ? { uid: firm, amount: paid } : undefined}
              onDone={() => {
                setFirm('')
                setAmount('')
              }}
            >
              <Card title={t.terms.fundPay}>
                <div className="card-body stack">
                  <p className="fg2">{t.terms.fundText}</p>
                  <div className="line pair">
                    <TextField label={t.terms.firm} inputMode="numeric" autoComplete="off" value={firm} onText={setFirm} />
                    <TextField label={t.terms.amount} inputMode="decimal" autoComplete="off" value={amount} onText={setAmount} />
                  </div>
                </div>
              </Card>
            </TermsForm>
          )}
          {data.terms !== null && !mayDecide && (
            <Card title={t.terms.kinds.second}>
              <TermsTable kind="second" terms={data.terms} assets={[]} />
            </Card>
          )}
        </>
      )}
    </div>
  )
}

function Fund({ house: { fund, terms } }: { readonly house: House }): ReactNode {
  const floor = terms?.['houseFloor']
  return (
    <Card title={t.terms.fund}>
      <div className="card-body">
        <p className="big tn">{`${grouped(fund)} USDT`}</p>
        {floor !== undefined && <p className="fg2 tn">{`${t.terms.names.houseFloor} ${grouped(String(floor))} USDT`}</p>}
      </div>
    </Card>
  )
}

type Row = House['markets'][number]

const cellsOf = ({ symbol, isPaused, orders, stakes }: Row): Readonly<Record<string, string>> => ({
  ...{ market: symbol, isPaused: String(isPaused), orders: String(orders), stakes },
})

const columns: readonly Column<Row>[] = [
  { id: 'market', header: t.terms.market, by: ({ symbol }) => symbol, cell: ({ symbol }) => <b>{symbol}</b> },
  {
    id: 'status',
    header: t.terms.status,
    by: ({ isPaused }) => (isPaused ? 1 : 0),
    cell: ({ isPaused }) => <Badge tone={isPaused ? 'warn' : 'ok'}>{isPaused ? t.terms.paused : t.terms.opened}</Badge>,
  },
  {
    id: 'orders',
    header: t.terms.orders,
    isEnd: true,
    by: ({ orders }) => orders,
    cell: ({ orders }) => <span className="tn">{countOf(orders)}</span>,
  },
  {
    id: 'stakes',
    header: `${t.terms.stakes}, USDT`,
    isEnd: true,
    by: ({ stakes }) => Number(stakes),
    cell: ({ stakes }) => <span className="tn">{grouped(stakes)}</span>,
  },
]
