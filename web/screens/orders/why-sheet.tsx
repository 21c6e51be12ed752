import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireLiquidation } from '@candor/core/protocol/wire/perp.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { ExplainSheet } from '../../parts/proof/explain-later.tsx'
import { perp } from '../../parts/perp/api.ts'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'

type Step = WireLiquidation['steps'][number]

/** Why a position was liquidated: each step with its prices, sums, rules and ledger entries. */
export function WhySheet({ positionId, onClose }: { readonly positionId: string; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const query = useQuery({ queryKey: ['own', 'perp', 'liquidation', positionId], queryFn: () => perp.liquidation(positionId) })
  const steps = query.data?.steps
  return (
    <Sheet isOpen onClose={onClose} title={t('closed.why')}>
      {query.data === undefined || steps === undefined ? (
        query.error === null ? (
          <RowsSkeleton rows={5} />
        ) : (
          <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
        )
      ) : (
        <div className="flex flex-col gap-4">
          <p className="text-13 text-fg2">{t('closed.whyLead', { count: steps.length })}</p>
          <ol className="flex flex-col gap-4">
            {steps.map((step, at) => (
              <li key={step.seq}>
                <StepCard step={step} number={at + 1} of={steps.length} written={writtenWith(steps, at)} symbol={query.data.symbol} />
              </li>
            ))}
          </ol>
          <p className="text-12 text-fg3">{t('closed.whyEnd')}</p>
          <Journal positionId={positionId} seq={steps.at(-1)?.seq ?? 0} />
        </div>
      )}
    </Sheet>
  )
}

/** Asks the exchange to work the steps out again. */
function Journal({ positionId, seq }: { readonly positionId: string; readonly seq: number }) {
  const { t } = useTranslation()
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button variant="soft" onClick={() => setIsAsked(true)}>
        {t('closed.whyJournal')}
      </Button>
      {isAsked && (
        <Suspense fallback={null}>
          <ExplainSheet subject={{ kind: 'liquidation', positionId, seq }} onClose={() => setIsAsked(false)} />
        </Suspense>
      )}
    </>
  )
}

/** First and last step of a command. Its ledger entries are sums over all of its steps and are shown at the last one. */
function writtenWith(steps: readonly Step[], at: number): { readonly from: number; readonly to: number } {
  const isSame = (step: Step): boolean => step.seq === steps[at]?.seq
  return { from: steps.findIndex(isSame) + 1, to: steps.findLastIndex(isSame) + 1 }
}

function StepCard({
  step,
  number,
  of,
  written,
  symbol,
}: {
  readonly step: Step
  readonly number: number
  readonly of: number
  readonly written: { readonly from: number; readonly to: number }
  readonly symbol: string
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(symbol)
  const [base, quote] = [market?.base ?? '', market?.quote ?? 'USDT']
  const digits = market?.priceDigits ?? 0
  const price = (text: Decimal): string => format.number(text, digits, Math.max(digits, 2))
  const money = (text: Decimal): string => `${format.sum(text, quote, true).replace('-', '−')} ${quote}`
  const closed = Number(step.closedQuantity)
  const values = {
    mark: price(step.mark),
    index: price(step.index),
    equity: money(step.equity),
    maintenance: money(step.maintenance),
    percent: format.ppm(step.maintenancePpm),
    asked: `${format.exact(step.askedQuantity)} ${base}`,
    closed: `${format.exact(step.closedQuantity)} ${base}`,
    price: step.averagePrice === null ? '–' : price(step.averagePrice),
    bankruptcy: step.bankruptcyPrice === null ? '–' : price(step.bankruptcyPrice),
    fee: money(step.fee),
    insured: money(step.insured),
  }
  return (
    <article className="flex flex-col gap-3 rounded-card bg-s2 p-4">
      <Head title={t('closed.whyStep', { number, of })} time={step.time} />

      <Part title={t('closed.whyPrices')}>
        <p>{t('closed.whyPricesSays', values)}</p>
        <Sources sources={step.sources} digits={Math.max(digits, 2)} />
      </Part>

      <Part title={t('closed.whyMargin')}>
        <p>{t('closed.whyMarginSays', values)}</p>
        <Bar equity={step.equity} maintenance={step.maintenance} />
      </Part>

      <Part title={t('closed.whyOrder')}>
        {step.orderId === null ? <p>{t('closed.whyNoOrder')}</p> : <p>{t('closed.whyOrderSays', values)}</p>}
        {step.orderId !== null && (closed > 0 ? <p>{t('closed.whyFilled', values)}</p> : <p>{t('closed.whyUnfilled')}</p>)}
        {Number(step.fee) > 0 && <p>{t('closed.whyFee', values)}</p>}
      </Part>

      {(Number(step.insured) > 0 || step.deleveraged.length > 0) && (
        <Part title={t('closed.whyLoss')}>
          {Number(step.insured) > 0 && <p>{t('closed.whyInsured', values)}</p>}
          {step.deleveraged.map((one, at) => (
            <p key={at}>{t('closed.whyDeleveraged', { quantity: `${format.exact(one.quantity)} ${base}`, price: price(one.price) })}</p>
          ))}
        </Part>
      )}

      {number < written.to && (
        <Part title={t('closed.whyLedger')}>
          <p>{t('closed.whyLedgerWith', { number: written.to })}</p>
        </Part>
      )}
      {step.entries.length > 0 && (
        <Part title={written.from === written.to ? t('closed.whyLedger') : t('closed.whyLedgerOf', written)}>
          <Entries entries={step.entries} />
        </Part>
      )}
    </article>
  )
}

/** The price of each venue, with decimal points aligned. Venues quote in finer steps than the perp market's tick. */
function Sources({ sources, digits }: { readonly sources: Step['sources']; readonly digits: number }) {
  const format = useFormats()
  if (sources.length === 0) return null
  return (
    <ul className="tn mt-1 flex flex-col gap-0.5">
      {sources.map(({ venue, price }) => (
        <li key={venue} className="flex justify-between gap-2 text-12">
          <span className="text-fg2">{venue}</span>
          <span>{format.number(price, digits, digits)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The account's ledger entries, each with the balance after it. */
function Entries({ entries }: { readonly entries: Step['entries'] }) {
  const { t } = useTranslation()
  return (
    <table className="tn w-full text-12">
      <thead>
        <tr className="text-11 text-fg3 [&>th]:font-normal [&>th+th]:ps-3">
          <th className="text-start">{t('closed.whyEntry')}</th>
          <th className="text-end">{t('positions.amount')}</th>
          <th className="text-end">{t('closed.balanceAfter')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, at) => (
          <tr key={at} className="align-baseline [&>td]:py-0.5 [&>td+td]:ps-3">
            <td className="text-fg2">{t(`closed.entries.${entry.reason}` as 'closed.entries.fee', { defaultValue: entry.reason })}</td>
            <td className="text-end">
              <Amount value={entry.amount} min={2} max={6} />
            </td>
            <td className="text-end">
              <Amount value={entry.balance} min={2} max={6} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head({ title, time }: { readonly title: string; readonly time: number }) {
  const format = useFormats()
  return (
    <header className="flex flex-wrap items-baseline justify-between gap-x-3">
      <h3 className="text-15 font-semibold">{title}</h3>
      <time className="tn text-12 text-fg3" dateTime={new Date(time).toISOString()}>
        {`${format.clock(time)} · ${format.utc(time)}`}
      </time>
    </header>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-1 text-13">
      <h4 className="text-12 font-medium text-fg3">{title}</h4>
      {children}
    </section>
  )
}

/** Bars of the equity and of the required margin, to compare. */
function Bar({ equity, maintenance }: { readonly equity: Decimal; readonly maintenance: Decimal }) {
  const { t } = useTranslation()
  const [has, needs] = [Math.max(0, Number(equity)), Number(maintenance)]
  const most = Math.max(has, needs, 1e-9)
  const rows = [
    [t('closed.equity'), has, 'bg-danger'],
    [t('positions.maintenance'), needs, 'bg-fg3'],
  ] as const
  return (
    <div aria-hidden className="mt-1 flex flex-col gap-1">
      {rows.map(([label, value, tone]) => (
        <div key={label} className="flex items-center gap-2 text-11 text-fg2">
          <span className="w-24 shrink-0 truncate">{label}</span>
          <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-s3">
            <span className={`block h-full rounded-full ${tone}`} style={{ width: `${(value * 100) / most}%` }} />
          </span>
        </div>
      ))}
    </div>
  )
}
