import type { Units } from '@candor/core/money/brand.ts'
import { mulDivCeil } from '@candor/core/money/mul-div.ts'
import { parseTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import { useState } from 'react'
import { newClientId, queries } from '../../app/client.ts'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useIsStale } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { HoldButton } from '../ui/hold-button.tsx'
import { Sheet, SummaryRow } from '../ui/sheet.tsx'
import { perp } from './api.ts'
import { CloseAll, type Closing } from './close-all.ts'
import { useMarkOf } from './marks.ts'
import { Profit } from '../funds/profit.tsx'
import { useMe } from '../../app/session.ts'
import { heldOf, scalesOf, standingOf } from './risk.ts'
import { TotalProfit } from './total-profit.tsx'
import { useScales } from './use-risks.ts'

type CloseAllProps = {
  readonly positions: readonly WirePosition[]
  readonly isHedge: boolean
  readonly config: WireConfig
  readonly onClose: () => void
}

type Results = Readonly<Record<string, Closing>>

/** Closes the given positions at market after the button was held, and says of each what became of it. */
export function CloseAllSheet({ positions, isHedge, config, onClose }: CloseAllProps) {
  const { t } = useTranslation()
  const isStale = useIsStale()
  // Positions that were closed leave the account, but their results stay in sight.
  const [asked, setAsked] = useState<readonly WirePosition[]>()
  const [results, setResults] = useState<Results>({})
  const [isRunning, setIsRunning] = useState(false)
  const [isExplained, setIsExplained] = useState(false)
  const [all] = useState(() => new CloseAll(perp.place, newClientId))
  const shown = asked ?? positions
  const failed = shown.filter(({ id }) => results[id]?.kind === 'lost' || results[id]?.kind === 'refused')
  const run = async (which: readonly WirePosition[]): Promise<void> => {
    if (isRunning) return
    setIsRunning(true)
    setAsked(shown)
    await all.run(which, isHedge, (id, result) => setResults((before) => ({ ...before, [id]: result })))
    setIsRunning(false)
    void queries.invalidateQueries({ queryKey: ['own'] })
  }
  const isAsking = asked === undefined
  return (
    <Sheet
      isOpen
      isHeld={isRunning}
      onClose={onClose}
      title={t('positions.closeAll.title')}
      footer={
        isAsking ? (
          <div className="flex flex-col gap-2">
            <HoldButton
              variant="danger"
              isWide
              disabled={isStale || positions.length === 0}
              onHold={() => void run(positions)}
              onTap={() => setIsExplained(true)}
            >
              {t('positions.closeAll.hold')}
            </HoldButton>
            <div role="status" className="flex flex-wrap items-center justify-between gap-2 text-12 text-fg2 empty:hidden">
              {isExplained && (
                <>
                  <span>{t('positions.closeAll.hint')}</span>
                  <Button variant="soft" size="small" disabled={isStale} onClick={() => void run(positions)}>
                    {t('positions.closeAll.anyway')}
                  </Button>
                </>
              )}
            </div>
          </div>
        ) : (
          <div className="flex flex-wrap gap-2">
            {failed.length > 0 && (
              <Button variant="soft" className="flex-1" isBusy={isRunning} onClick={() => void run(failed)}>
                {t('common.retry')}
              </Button>
            )}
            <Button className="flex-1" isBusy={isRunning} onClick={onClose}>
              {t('common.done')}
            </Button>
          </div>
        )
      }
    >
      <ul aria-live="polite">
        {shown.map((position) => (
          <Row key={position.id} position={position} result={results[position.id]} isRunning={isRunning} />
        ))}
      </ul>
      {isAsking && <Estimate positions={positions} config={config} />}
    </Sheet>
  )
}

/** What closing brings at the marks of now, and what it costs. */
function Estimate({ positions, config }: { readonly positions: readonly WirePosition[]; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const format = useFormats()
  const marks = useMarkOf(positions.map(({ symbol }) => symbol))
  const feeTier = useMe()?.perpFeeTier
  const fees = positions.map((position) => {
    const market = config.markets.find(({ symbol }) => symbol === position.symbol)
    const mark = marks(position.symbol)
    const ticks = market === undefined || mark === undefined ? undefined : parseTicks(mark.mark, market.tick)
    if (market === undefined || ticks === undefined) return undefined
    const scales = scalesOf(config, market, feeTier)
    const fee = mulDivCeil(ticks * Math.abs(heldOf(position, scales).lots) * scales.perTickLot, scales.takerPpm, 1_000_000)
    return { fee, scale: scales.quoteScale, quote: market.quote }
  })
  const [first] = fees
  const isKnown = fees.every((one) => one !== undefined)
  const sum = fees.reduce((total, one) => total + (one?.fee ?? 0), 0)
  return (
    <>
      <dl className="mt-2">
        <SummaryRow label={t('positions.estimatedProfit')}>
          {isKnown ? <TotalProfit positions={positions} config={config} /> : '–'}
        </SummaryRow>
        <SummaryRow label={t('trade.fee')}>
          {isKnown && first !== undefined ? `${format.sum(formatUnits(sum as Units, first.scale), first.quote, true)} ${first.quote}` : '–'}
        </SummaryRow>
      </dl>
      <p className="mt-2 rounded-control bg-s2 p-3 text-12 text-fg2">{t('positions.closeAll.says', { count: positions.length })}</p>
    </>
  )
}

function Row({
  position,
  result,
  isRunning,
}: {
  readonly position: WirePosition
  readonly result: Closing | undefined
  readonly isRunning: boolean
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(position.symbol)
  const isLong = position.side === 'buy'
  const base = market?.base ?? ''
  return (
    <li className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 border-b border-line py-2 text-13 last:border-0">
      <span className="flex flex-wrap gap-x-2">
        <span className="font-semibold">{market === undefined ? position.symbol : `${base}/${market.quote}`}</span>
        <span className={isLong ? 'text-up' : 'text-down'}>{isLong ? t('perp.long') : t('perp.short')}</span>
        <span className="tn text-fg2">{`${format.exact(position.quantity)} ${base}`}</span>
      </span>
      <span className="ms-auto text-end text-12">
        {result === undefined ? (
          isRunning ? (
            <span className="text-fg3">…</span>
          ) : (
            <Unrealised position={position} />
          )
        ) : (
          <Result position={position} result={result} base={base} />
        )}
      </span>
    </li>
  )
}

function Unrealised({ position }: { readonly position: WirePosition }) {
  const market = useMarket(position.symbol)
  const mark = useMarkOf([position.symbol])(position.symbol)
  const scales = useScales(position.symbol)
  const standing = scales === undefined ? undefined : standingOf(position, mark, scales)
  return standing === undefined ? <>–</> : <Profit value={standing.profit} asset={market?.quote ?? ''} />
}

function Result({ position, result, base }: { readonly position: WirePosition; readonly result: Closing; readonly base: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  if ('error' in result) return <span className="text-danger">{problemOf(result.error, t).text}</span>
  const { executed, closeReason } = result.order
  if (result.kind === 'closed')
    return <span className="text-ok">{t('positions.closed', { quantity: `${format.exact(executed)} ${base}` })}</span>
  const reason = closeReason === undefined ? '' : t(`orders.reason.${closeReason}`)
  if (result.kind === 'unfilled') return <span className="text-danger">{reason === '' ? t('orders.notFilled') : reason}</span>
  const part = t('positions.closeAll.partly', { done: format.exact(executed), whole: `${format.exact(position.quantity)} ${base}` })
  return <span className="text-warn">{reason === '' ? part : `${part} · ${reason}`}</span>
}
