import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useState } from 'react'
import { useTranslation } from '../../../app/translate.ts'
import { MarketList } from '../../market/market-list.tsx'
import { Segmented } from '../../ui/tabs.tsx'

/** A list of markets to compare the chart's with. */
export function ChooseCompared({ market, onChoose }: { readonly market: WireMarket; readonly onChoose: (symbol: string) => void }) {
  const { t } = useTranslation()
  const [kind, setKind] = useState(market.kind)
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        size="small"
        label={t('market.title')}
        value={kind}
        onChange={setKind}
        choices={[
          { value: 'spot', label: t('trade.spot') },
          { value: 'perp', label: t('trade.futures') },
        ]}
      />
      <MarketList key={kind} kind={kind} onChoose={onChoose} />
    </div>
  )
}
