/** Positions, funds and pools as they are now. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Curve } from '../../parts/figures.tsx'
import { Card } from '../../parts/ui.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Watching } from '../../parts/watching.tsx'
import { amountOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import * as columns from './columns.tsx'
import { riskQuery } from './queries.ts'
import type { FundDay, House, Risk } from '@candor/core/protocol/wire/console/risk.ts'

const words = t.watch.risk

export function RiskPage(): ReactNode {
  const query = useQuery(riskQuery)
  return (
    <Watching title={words.title} query={query} tablesOf={({ tables }) => tables}>
      {(risk) => (
        <>
          <Sheet
            {...{
              title: words.markets,
              text: words.marketsText,
              columns: columns.markets,
              rows: risk.markets,
              file: '/risk/files/markets',
            }}
            keyOf={({ symbol }) => symbol}
            empty={words.marketsEmpty}
          />
          <Positions risk={risk} />
          <Events risk={risk} />
          <Funds risk={risk} />
          <Pools risk={risk} />
        </>
      )}
    </Watching>
  )
}

function Positions({ risk: { largest, closest } }: { readonly risk: Risk }): ReactNode {
  const shared = {
    columns: columns.positions,
    keyOf: ({ position }: { readonly position: string }) => position,
    empty: words.positionsEmpty,
  }
  return (
    <div className="stack">
      <Sheet {...shared} title={words.largest} rows={largest} file="/risk/files/largest" />
      <Sheet {...shared} title={words.closest} rows={closest} file="/risk/files/closest" />
    </div>
  )
}

function Events({ risk: { liquidations, deleverages } }: { readonly risk: Risk }): ReactNode {
  const keyOf = ({ seq, line }: { readonly seq: number; readonly line: number }): string => `${seq}-${line}`
  return (
    <div className="stack">
      <Sheet
        {...{ title: words.liquidations, columns: columns.liquidations, rows: liquidations, file: '/risk/files/liquidations', keyOf }}
        empty={words.liquidationsEmpty}
      />
      <Sheet
        {...{ title: words.deleverages, columns: columns.deleverages, rows: deleverages, file: '/risk/files/deleverages', keyOf }}
        empty={words.deleveragesEmpty}
      />
    </div>
  )
}

function Funds({ risk: { funds, history, timed, house } }: { readonly risk: Risk }): ReactNode {
  return (
    <div className="two wide">
      <div className="stack">
        <Sheet
          {...{ title: words.funds, columns: columns.funds, rows: funds, file: '/risk/files/funds', empty: words.fundsEmpty }}
          keyOf={({ fund, asset }) => `${fund} ${asset}`}
        />
        <Sheet
          {...{ title: words.history, columns: columns.days, rows: history.toReversed().slice(0, 10), file: '/risk/files/history' }}
          keyOf={({ day, asset }) => `${day} ${asset}`}
          empty={words.historyEmpty}
        >
          <History days={history} />
        </Sheet>
      </div>
      <div className="stack">
        <Sheet
          {...{ title: words.second, text: words.secondText, columns: columns.timed, rows: timed, file: '/risk/files/timed' }}
          keyOf={({ symbol }) => symbol}
          empty={words.secondEmpty}
        />
        {house && <HouseFund house={house} />}
      </div>
    </div>
  )
}

/** One curve per asset of the fund with more than one day. */
function History({ days }: { readonly days: readonly FundDay[] }): ReactNode {
  const assets = [...new Set(days.map(({ asset }) => asset))]
  const curves = assets.map((asset) => [asset, days.filter((day) => day.asset === asset).map(({ balance }) => Number(balance))] as const)
  return curves
    .filter(([, points]) => points.length > 1)
    .map(([asset, points]) => (
      <div key={asset} className="card-body">
        <span className="small fg2">{asset}</span>
        <Curve points={points} />
      </div>
    ))
}

function HouseFund({ house: { isOpen, fund, floor, perMarket, total } }: { readonly house: House }): ReactNode {
  return (
    <Card title={words.fundNames['option-house']}>
      <div className="card-body stack">
        <p>{words.houseIs(amountOf(fund), amountOf(floor))}</p>
        <p className="fg2">{words.houseCaps(amountOf(perMarket), amountOf(total))}</p>
        {!isOpen && <p className="warn-text">{words.closedProduct}</p>}
      </div>
    </Card>
  )
}

function Pools({ risk: { pools, collateral } }: { readonly risk: Risk }): ReactNode {
  const keyOf = ({ asset }: { readonly asset: string }): string => asset
  return (
    <div className="two wide">
      <Sheet {...{ title: words.pools, columns: columns.pools, rows: pools, file: '/risk/files/pools', keyOf, empty: words.poolsEmpty }} />
      <Sheet
        {...{ title: words.collateral, text: words.collateralText, columns: columns.collateral, rows: collateral, keyOf }}
        {...{ file: '/risk/files/collateral', empty: words.collateralEmpty }}
      />
    </div>
  )
}
