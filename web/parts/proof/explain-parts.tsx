import type { Part as Share } from '@candor/core/protocol/wire/explain/liquidation.ts'
import type { ReactNode } from 'react'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'

/** A part of an explanation. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-1 text-13">
      <h3 className="text-12 font-medium text-fg3">{title}</h3>
      {children}
    </section>
  )
}

/** An explanation of a liquidation, which keys can scroll. */
export function Whole({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <section tabIndex={0} aria-label={t('explain.liquidation.title')} className="flex flex-col gap-4 pb-2">
      {children}
      <p className="text-12 text-fg3">{t('explain.liquidation.source')}</p>
    </section>
  )
}

/** Where in the journal the explanation is from, and that it says nothing of others. */
export function End({ seq }: { readonly seq: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  return <p className="text-12 text-fg3">{t('explain.end', { seq: format.number(seq) })}</p>
}

/** One command of a liquidation. */
export function Stage({ at, seq, children }: { readonly at: number; readonly seq: number; readonly children: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <article className="flex flex-col gap-3 rounded-card bg-s2 p-4">
      <header className="flex flex-wrap items-baseline justify-between gap-x-3">
        <time className="tn text-13 font-semibold" dateTime={new Date(at).toISOString()}>
          {`${format.clock(at)} · ${format.utc(at)}`}
        </time>
        <span className="text-12 text-fg3">{t('explain.liquidation.command', { seq: format.number(seq) })}</span>
      </header>
      {children}
    </article>
  )
}

export type Line = { readonly name: string; readonly value: string; readonly isSum?: boolean }

/** Figures that add up, one below the other. */
export function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ul className="tn flex flex-col gap-0.5 text-12">
      {lines.map(({ name, value, isSum = false }, n) => (
        <li key={n} className={`flex justify-between gap-2 ${isSum ? 'font-medium' : ''}`}>
          <span className={isSum ? '' : 'text-fg2'}>{name}</span>
          <span>{value}</span>
        </li>
      ))}
    </ul>
  )
}

/** How the figures of markets are written, whose texts come with a language. */
export function useFigures(): {
  readonly usdt: (text: string) => string
  readonly pair: (symbol: string) => string
  readonly quantity: (symbol: string, text: string) => string
  readonly shares: (symbol: string, parts: readonly Share[]) => readonly Line[]
} {
  const format = useFormats()
  const markets = useConfig().data?.markets ?? []
  const marketOf = (symbol: string) => markets.find((one) => one.symbol === symbol)
  const quantity = (symbol: string, text: string): string => `${format.exact(text)} ${marketOf(symbol)?.base ?? ''}`
  return {
    usdt: (text) => `${format.exact(text).replace('-', '−')} USDT`,
    pair(symbol) {
      const market = marketOf(symbol)
      return market === undefined ? symbol : `${market.base}/${market.quote}`
    },
    quantity,
    shares: (symbol, parts) => parts.map((part) => ({ name: format.exact(part.price), value: quantity(symbol, part.quantity) })),
  }
}
