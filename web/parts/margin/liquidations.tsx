import type { MarginLiquidationSubject } from '@candor/core/protocol/wire/explain/liquidation.ts'
import type { WireMarginLiquidation } from '@candor/core/protocol/wire/margin.ts'
import { Suspense, useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Endless } from '../lists/endless.tsx'
import { Amount } from '../ui/figure.tsx'
import { ExplainSheet } from '../proof/explain-later.tsx'
import { Empty } from '../ui/state.tsx'
import { margin } from './api.ts'

/** Liquidations of the user's margin accounts, newest first: each step with its level, assets, debt, and payments. */
export function Liquidations() {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<WireMarginLiquidation>()
  return (
    <>
      <Endless
        queryKey={['own', 'margin', 'liquidations']}
        page={(before) => margin.liquidations({ limit: 50, ...(before === undefined ? {} : { before }) })}
        empty={<Empty text={t('loans.liquidations.none')} />}
      >
        {(steps) => (
          <>
            <p className="px-4 pt-3 text-12 text-fg2">{t('loans.liquidations.lead')}</p>
            {steps.map((step) => (
              <Step key={step.id} step={step} onWhy={() => setAsked(step)} />
            ))}
          </>
        )}
      </Endless>
      {asked !== undefined && (
        <Suspense fallback={null}>
          <ExplainSheet subject={subjectOf(asked)} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** The liquidation up to this step, by the step's place in the journal, with which its number begins. */
function subjectOf({ id, symbol }: WireMarginLiquidation): MarginLiquidationSubject {
  return { kind: 'marginLiquidation', ...(symbol === undefined ? {} : { symbol }), seq: Number(id.split('-')[0]) }
}

function Step({ step, onWhy }: { readonly step: WireMarginLiquidation; readonly onWhy: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useConfig().data?.markets.find((one) => one.symbol === step.symbol)
  const pair = market === undefined ? step.symbol : `${market.base}/${market.quote}`
  const account = pair === undefined ? t('accounts.name.margin-cross') : t('accounts.isolatedOf', { pair })
  const usdt = (value: string) => <Amount value={value} asset="USDT" />
  const rows = [
    { name: 'level', label: t('margin.level'), value: <span className="tn">{format.number(step.level, 2, 4)}</span> },
    {
      name: 'border',
      label: t('loans.liquidations.border'),
      value: <span className="tn">{format.number(step.liquidationLevel, 2, 4)}</span>,
    },
    { name: 'assets', label: t('margin.assets'), value: usdt(step.assetsUsdt) },
    { name: 'debt', label: t('margin.debt'), value: usdt(step.debtUsdt) },
    ...(step.orderId === null ? [] : [{ name: 'fee', label: t('loans.liquidations.fee'), value: usdt(step.fee) }]),
    ...(Number(step.insured) > 0 ? [{ name: 'fund', label: t('loans.liquidations.fund'), value: usdt(step.insured) }] : []),
  ]
  return (
    <article aria-label={account} className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-13 font-semibold">{account}</h2>
        <time dateTime={new Date(step.time).toISOString()} className="tn text-11 text-fg3">
          {format.dateTime(step.time)}
        </time>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-x-3 gap-y-2 text-12 [&_dt]:text-11 [&_dt]:text-fg3">
        {rows.map(({ name, label, value }) => (
          <div key={name} className="min-w-0">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="tn flex flex-wrap justify-between gap-x-3 text-11 text-fg3">
        <span>
          {step.orderId !== null
            ? t('loans.liquidations.order', { id: step.orderId })
            : t(Number(step.insured) > 0 ? 'loans.liquidations.noOrder' : 'loans.liquidations.taken')}
        </span>
        <button type="button" onClick={onWhy} className="-my-2 min-h-8 text-12 font-medium text-brand">
          {t('loans.liquidations.why')}
        </button>
      </p>
    </article>
  )
}
