import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { BookOpen, ExternalLink } from 'lucide-react'
import { navigate } from '../../../app/location.ts'
import { useTranslation } from '../../../app/translate.ts'
import { DeskKeys } from '../../shortcuts/desk-keys.tsx'
import { useDeskHandlers } from '../../shortcuts/registry.ts'
import { useMarketKeys } from '../../shortcuts/use-panel-keys.ts'
import { IconButton } from '../../ui/button.tsx'
import { openApart } from '../../shortcuts/windows.ts'
import type { View } from '../use-view.ts'
import { CountChoice } from './count-choice.tsx'

/** For a single chart in a wide window: how many charts, windows of their own for chart and book, and the keys. */
export function WideTools({ market, view }: { readonly market: WireMarket; readonly view: View }) {
  useMarketKeys(market, undefined, (symbol) => navigate(`/contractkline?symbol=${symbol}`, { replace: true }))
  useDeskHandlers({ intervals: { choices: view.intervals, choose: view.setInterval } })
  return (
    <div className="flex items-center gap-1 px-4 pb-1">
      <CountChoice />
      <ApartButtons market={market} />
      <DeskKeys />
    </div>
  )
}

/** Open the chart or the book of a market in a window of its own. */
export function ApartButtons({ market: { symbol } }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  return (
    <span className="ms-auto flex">
      <IconButton label={t('shortcuts.charts.apart')} className="!size-9" onClick={() => openApart('chart', symbol)}>
        <ExternalLink size={18} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton label={t('shortcuts.charts.bookApart')} className="!size-9" onClick={() => openApart('book', symbol)}>
        <BookOpen size={18} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </span>
  )
}
