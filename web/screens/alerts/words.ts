import type { AlertCondition, AlertSource, AlertState, WireAlert } from '@candor/core/protocol/wire/own/alerts.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { isChange } from './form.ts'

export type Words = {
  readonly conditions: Readonly<Record<AlertCondition, string>>
  readonly sources: Readonly<Record<AlertSource, string>>
  readonly states: Readonly<Record<AlertState, string>>
  readonly pairOf: (symbol: string) => string
  readonly levelOf: (condition: AlertCondition, level: string) => string
  /** What the alert waits for, in one line. */
  readonly lineOf: (alert: WireAlert) => string
}

/** The words of price alerts in the reader's language. */
export function useWords(): Words {
  const { t } = useTranslation()
  const format = useFormats()
  const markets = useMarkets()
  const conditions = { above: t('alerts.above'), below: t('alerts.below'), rise: t('alerts.rise'), fall: t('alerts.fall') }
  const sources = { last: t('alerts.last'), index: t('alerts.index'), mark: t('alerts.mark') }
  const levelOf = (condition: AlertCondition, level: string): string => (isChange(condition) ? format.percent(level) : format.exact(level))
  return {
    conditions,
    sources,
    states: { armed: t('alerts.armed'), waiting: t('alerts.waiting'), paused: t('alerts.paused'), done: t('alerts.done') },
    pairOf(symbol) {
      const found = markets.find((market) => market.symbol === symbol)
      if (found === undefined) return symbol
      return found.kind === 'perp' ? `${found.base}/${found.quote} ${t('trade.perp')}` : `${found.base}/${found.quote}`
    },
    levelOf,
    lineOf({ condition, source, level }) {
      const line = `${conditions[condition]} ${levelOf(condition, level)}`
      return source === 'last' ? line : `${line} · ${sources[source]}`
    },
  }
}
