/** Funds and pools with their targets, and open positions with their limits. */
import type { Exposure, ExposureRow, FundState, PoolState } from '@candor/core/protocol/wire/console/overview.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { amountOf, compactOf, countOf, shareOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { Amount, Share } from '../../parts/figures.tsx'

const words = t.overview

export function Funds({ exposure: { funds, pools } }: { readonly exposure: Exposure }): ReactNode {
  const used = pools?.filter(({ supplied, borrowed }) => Number(supplied) + Number(borrowed) > 0) ?? []
  return (
    <section className="card" aria-label={words.funds}>
      <Head title={words.funds} />
      {funds.length + used.length === 0 ? (
        <p className="card-body fg2">{pools === null ? t.watch.away : words.fundsEmpty}</p>
      ) : (
        <div className="scroll">
          <table className="table" aria-label={words.funds}>
            <Header names={[words.fund, words.balance, words.ofTarget, words.today]} />
            <tbody>
              {funds.map((fund) => (
                <FundRow key={`${fund.fund} ${fund.asset}`} fund={fund} />
              ))}
              {used.map((pool) => (
                <PoolRow key={pool.asset} pool={pool} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function FundRow({ fund: { fund, asset, balance, target, change } }: { readonly fund: FundState }): ReactNode {
  return (
    <tr>
      <td>{t.watch.risk.fundNames[fund] ?? fund}</td>
      <Sum amount={balance} asset={asset} />
      <td className="end">
        {target === null || Number(target) === 0 ? (
          <span className="fg3">{words.noTarget}</span>
        ) : (
          <Reached share={Number(balance) / Number(target)} />
        )}
      </td>
      <td className="end">
        <Amount of={change === null ? null : shortened(change)} isSigned />
      </td>
    </tr>
  )
}

/** Green once the target is reached, amber below it, red below half of it. */
function Reached({ share }: { readonly share: number }): ReactNode {
  const tone = share >= 1 ? ' ok' : share >= 0.5 ? ' warn' : ' danger'
  return (
    <span className="share">
      <span className={`bar${tone}`} aria-hidden="true">
        <i style={{ '--share': Math.min(1, share) } as object} />
      </span>
      <span className="tn">{share >= 10 ? '> 999%' : shareOf(share)}</span>
    </span>
  )
}

function PoolRow({ pool: { asset, supplied, utilization } }: { readonly pool: PoolState }): ReactNode {
  return (
    <tr>
      <td>{words.lendingPool}</td>
      <Sum amount={supplied} asset={asset} />
      <td className="end fg2 tn">{words.lent(`${amountOf(utilization, 1)}%`)}</td>
      <td className="end fg3">–</td>
    </tr>
  )
}

export function Exposed({ exposure: { markets, second } }: { readonly exposure: Exposure }): ReactNode {
  return (
    <section className="card" aria-label={words.exposure}>
      <Head title={words.exposure} unit="USDT" />
      <div className="scroll">
        <table className="table" aria-label={words.exposure}>
          <Header names={[t.watch.market, words.openInterest, words.longShort, words.largest, words.ofLimit]} />
          <tbody>
            {markets.map((row) => (
              <MarketRow key={row.symbol} row={row} />
            ))}
            <tr>
              <td>{words.second}</td>
              <td className="end tn">{compactOf(second.stakes)}</td>
              <td className="end fg3">{words.secondHidden}</td>
              <td className="end tn">{compactOf(second.largest)}</td>
              <td className="end">
                {second.limit === null ? <span className="fg3">–</span> : <Share value={Number(second.cost)} of={Number(second.limit)} />}
              </td>
            </tr>
          </tbody>
        </table>
      </div>
    </section>
  )
}

function MarketRow({ row: { symbol, openInterest, limit, longs, shorts, largest } }: { readonly row: ExposureRow }): ReactNode {
  const all = longs + shorts
  return (
    <tr>
      <td>
        <b>{symbol}</b>
      </td>
      <td className="end tn">{compactOf(openInterest)}</td>
      <td className="end">
        {all === 0 ? (
          <span className="fg3">{words.noPositions}</span>
        ) : (
          <span className="share">
            <span className="sides" aria-hidden="true">
              <i style={{ '--share': longs / all } as object} />
            </span>
            <span className="tn">{`${countOf(longs)} / ${countOf(shorts)}`}</span>
          </span>
        )}
      </td>
      <td className="end tn">{compactOf(largest)}</td>
      <td className="end">
        <Share value={Number(openInterest)} of={Number(limit)} />
      </td>
    </tr>
  )
}

function Head({ title, unit }: { readonly title: string; readonly unit?: string }): ReactNode {
  return (
    <div className="card-head">
      <h2>
        {title} {unit !== undefined && <small className="fg3 plain">{unit}</small>}
      </h2>
      <Link to="/risk">{t.watch.risk.title}</Link>
    </div>
  )
}

function Header({ names }: { readonly names: readonly string[] }): ReactNode {
  return (
    <thead>
      <tr>
        {names.map((name, at) => (
          <th key={name} scope="col" className={at === 0 ? undefined : 'end'}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Sum({ amount, asset }: { readonly amount: string; readonly asset: string }): ReactNode {
  return (
    <td className="end tn">
      {amountOf(amount, digitsOf(amount))} <small className="fg3">{asset}</small>
    </td>
  )
}

/** Large sums without decimals, small ones with as many as say something. */
const digitsOf = (text: string): number => (Math.abs(Number(text)) >= 10_000 ? 0 : Math.abs(Number(text)) >= 10 ? 2 : 6)
const shortened = (text: string): string => amountText(text, digitsOf(text))

function amountText(text: string, digits: number): string {
  const [whole = '0', rest = ''] = text.split('.')
  return digits === 0 || rest === '' ? whole : `${whole}.${rest.slice(0, digits)}`
}
