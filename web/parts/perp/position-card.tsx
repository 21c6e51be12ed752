import type { WireMark, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { Share2 } from 'lucide-react'
import { memo, Suspense, useState } from 'react'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useIsStale } from '../../app/quotes.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { Amount } from '../ui/figure.tsx'
import { laterSheet } from '../ui/later.tsx'
import { type Exit, exitKinds, exitsFor } from './exits/list.ts'
import { useMark } from './marks.ts'
import { Profit } from '../funds/profit.tsx'
import { type Scales, standingOf, type Standing } from './risk.ts'
import { useScales } from './use-risks.ts'
import { Term } from '../help/term.tsx'

const sheets = () => import('./position-sheets.tsx')
const CloseSheet = laterSheet(() => sheets().then((module) => module.CloseSheet))
const ReverseSheet = laterSheet(() => sheets().then((module) => module.ReverseSheet))
const ExitsSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./exits/sheet.tsx'), loadArea('exits')])
  return sheet.ExitsSheet
})
const MarginSheet = laterSheet(() => import('./margin-sheet.tsx').then((module) => module.MarginSheet))

const ShareOpen = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./share/sheet.tsx'), loadArea('share')])
  return sheet.ShareOpen
})

/** What can be done with a position, each in a sheet. */
export type PositionSheet = 'close' | 'reverse' | 'exits' | 'margin' | 'share'

/** An open position at its live mark price: profit, liquidation price, and all actions. */
export const PositionCard = memo(function PositionCard({
  position,
  orders,
  isHedge,
}: {
  readonly position: WirePosition
  readonly orders: readonly WireOrder[]
  readonly isHedge: boolean
}) {
  const { t } = useTranslation()
  const market = useMarket(position.symbol)
  const mark = useMark(position.symbol)
  const scales = useScales(position.symbol)
  const isStale = useIsStale()
  const [sheet, setSheet] = useState<PositionSheet>()
  const close = (): void => setSheet(undefined)
  if (market === undefined || scales === undefined) return null
  const standing = standingOf(position, mark, scales)
  const isLong = position.side === 'buy'
  const pair = `${market.base}/${market.quote}`
  const exits = exitsFor(position, orders)

  return (
    <article
      aria-label={`${pair} ${isLong ? t('perp.long') : t('perp.short')}`}
      className="mx-4 flex flex-col gap-3 rounded-card bg-s1 p-4"
    >
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className={`rounded-chip px-1.5 py-0.5 text-12 font-semibold ${isLong ? 'bg-uptint text-up' : 'bg-downtint text-down'}`}>
          {isLong ? t('perp.long') : t('perp.short')}
        </span>
        <h2 className="text-15 font-semibold">
          <a href={`#/contract?symbol=${position.symbol}`}>{pair}</a>
        </h2>
        <span className="tn text-12 text-fg2">
          {t(`perp.mode.${position.mode}`)} · {position.leverage}×
        </span>
        <Queue rank={position.adlRank} />
        {standing !== undefined && <ShareButton onClick={() => setSheet('share')} />}
      </header>
      <Gains position={position} standing={standing} quote={market.quote} isStale={isStale} />
      <Facts position={position} standing={standing} mark={mark?.mark} />
      <Distance standing={standing} mode={position.mode} />
      {exits.length > 0 && <ExitsLine exits={exits} />}
      <footer className="flex flex-wrap gap-2 [&>*]:grow">
        <Button variant="soft" size="small" onClick={() => setSheet('exits')}>
          {t('perp.exits')}
        </Button>
        {position.mode === 'isolated' && (
          <Button variant="soft" size="small" onClick={() => setSheet('margin')}>
            {t('positions.margin')}
          </Button>
        )}
        {!isHedge && (
          <Button variant="soft" size="small" onClick={() => setSheet('reverse')}>
            {t('positions.reverse')}
          </Button>
        )}
        <Button variant="soft" size="small" onClick={() => setSheet('close')}>
          {t('perp.close')}
        </Button>
      </footer>
      <PositionSheets {...{ sheet, position, exits, isHedge, scales, mark, standing }} onClose={close} />
    </article>
  )
})

/** The sheet of a position that is open. */
export function PositionSheets({
  sheet,
  exits,
  isHedge,
  standing,
  ...props
}: {
  readonly sheet: PositionSheet | undefined
  readonly position: WirePosition
  readonly exits: readonly Exit[]
  readonly isHedge: boolean
  readonly scales: Scales
  readonly mark: WireMark | undefined
  readonly standing: Standing | undefined
  readonly onClose: () => void
}) {
  const { mark, scales } = props
  return (
    <Suspense fallback={null}>
      {sheet === 'close' && <CloseSheet {...props} isHedge={isHedge} />}
      {sheet === 'reverse' && <ReverseSheet {...props} />}
      {sheet === 'exits' && <ExitsSheet {...props} exits={exits} isHedge={isHedge} />}
      {sheet === 'margin' && <MarginSheet {...props} />}
      {sheet === 'share' && standing !== undefined && mark !== undefined && (
        <ShareOpen {...props} standing={standing} mark={mark.mark} market={scales.market} />
      )}
    </Suspense>
  )
}

function ShareButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      aria-label={t('orders.shareResult')}
      onClick={onClick}
      className="-my-3 -me-3 flex size-11 shrink-0 items-center justify-center text-fg2"
    >
      <Share2 size={18} strokeWidth={1.75} aria-hidden />
    </button>
  )
}

function Gains({
  position,
  standing,
  quote,
  isStale,
}: {
  readonly position: WirePosition
  readonly standing: Standing | undefined
  readonly quote: string
  readonly isStale: boolean
}) {
  const { t } = useTranslation()
  return (
    <dl className={`flex flex-wrap justify-between gap-x-4 gap-y-1 ${isStale ? 'opacity-50' : ''}`}>
      <div>
        <dt className="text-11 text-fg3">{`${t('positions.unrealised')} (${quote})`}</dt>
        <dd className="text-22 font-semibold">{standing === undefined ? '–' : <Profit value={standing.profit} />}</dd>
      </div>
      <div className="text-end">
        <dt className="text-11 text-fg3">{t('positions.roe')}</dt>
        <dd className="text-22 font-semibold">{standing === undefined ? '–' : <Profit value={standing.roe} isPercent />}</dd>
      </div>
      {(position.realised !== '0' || position.funding !== '0') && (
        <div className="flex w-full gap-x-1 text-12">
          <dt className="text-fg3">{t('positions.realised')}</dt>
          <dd>
            <Profit value={position.realised} />
          </dd>
          <dt className="ms-3 text-fg3">{t('positions.fundingTitle')}</dt>
          <dd>
            <Profit value={position.funding} />
          </dd>
        </div>
      )}
    </dl>
  )
}

function Facts({
  position,
  standing,
  mark,
}: {
  readonly position: WirePosition
  readonly standing: Standing | undefined
  readonly mark: string | undefined
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(position.symbol)
  const price = (text: string): string => format.number(text, market?.priceDigits, market?.priceDigits)
  const quoted = { asset: market?.quote ?? 'USDT', isBare: true }
  const facts = [
    [
      `${t('trade.size')} (${market?.base ?? ''})`,
      <Amount
        key="size"
        value={position.quantity}
        {...(market !== undefined && { min: market.quantityDigits, max: market.quantityDigits })}
      />,
    ],
    [t('positions.entry'), price(position.entryPrice)],
    [t('perp.mark'), mark === undefined ? '–' : price(mark)],
    [t('positions.margin'), <Amount key="margin" value={position.margin} {...quoted} />],
    [
      t('positions.maintenance'),
      standing === undefined ? '–' : <Amount key="need" value={standing.maintenance} {...quoted} />,
      'maintenance',
    ],
    [t('perp.liquidation'), position.liquidationPrice === null ? t('positions.never') : price(position.liquidationPrice), 'liquidation'],
  ] as const
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(6.25rem,1fr))] gap-x-3 gap-y-2 text-13">
      {facts.map(([label, value, term]) => (
        <div key={label} className="min-w-0">
          <dt className="text-11 text-fg3">{term === undefined ? label : <Term id={term}>{label}</Term>}</dt>
          <dd className={`tn ${label === t('perp.liquidation') ? 'text-warn' : ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A bar of the distance to liquidation: empty is safe, full is liquidation. */
function Distance({ standing, mode }: { readonly standing: Standing | undefined; readonly mode: WirePosition['mode'] }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (standing?.distance === undefined) return null
  const away = format.percent(standing.distance, 1)
  // A cross position has no ratio of its own, so its bar shows the distance: 20 % away is empty.
  const filled = mode === 'cross' || standing.ratio === undefined ? Math.max(0, 100 - standing.distance * 5) : standing.ratio
  const isNear = filled >= 80
  const tone = isNear ? 'bg-danger' : filled >= 50 ? 'bg-warn' : 'bg-ok'
  return (
    <>
      <div className="flex flex-col gap-1" role="img" aria-label={t('positions.distance', { percent: away })}>
        <span className="h-1 overflow-hidden rounded-full bg-s3">
          <span className={`block h-full rounded-full ${tone}`} style={{ width: `${Math.max(2, Math.min(100, filled))}%` }} />
        </span>
        <span className="text-11 text-fg2">{t('positions.distance', { percent: away })}</span>
      </div>
      <p role="status" className="-mt-1 text-12 font-medium text-danger empty:hidden">
        {isNear && t('positions.near')}
      </p>
    </>
  )
}

/** The next take profit and the next stop loss, and how many more there are. */
function ExitsLine({ exits }: { readonly exits: readonly Exit[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <dl className="tn flex flex-wrap gap-x-4 text-12 [&_div]:flex [&_div]:gap-1 [&_dt]:text-fg3">
      {exitKinds.map((kind) => {
        const [next, ...more] = exits.filter((exit) => exit.kind === kind)
        return (
          <div key={kind}>
            <dt>{t(`perp.${kind}`)}</dt>
            <dd className={kind === 'takeProfit' ? 'text-up' : 'text-down'}>{next === undefined ? '–' : format.exact(next.trigger)}</dd>
            {more.length > 0 && <dd className="text-fg3">{`+${more.length}`}</dd>}
          </div>
        )
      })}
    </dl>
  )
}

/** Place in the auto-deleveraging queue as five bars; all five lit means first. */
export function Queue({ rank }: { readonly rank: WirePosition['adlRank'] }) {
  const { t } = useTranslation()
  return (
    <span
      role="img"
      aria-label={t('positions.queue', { rank })}
      title={t('positions.queue', { rank })}
      className="ms-auto flex items-center gap-1 text-11 text-fg3"
    >
      {t('positions.adl')}
      <span className="flex gap-0.5">
        {[1, 2, 3, 4, 5].map((bar) => (
          <span key={bar} className={`h-3 w-1 rounded-full ${bar > rank ? 'bg-s3' : rank >= 4 ? 'bg-warn' : 'bg-ok'}`} />
        ))}
      </span>
    </span>
  )
}
