import { useTranslation } from '../../app/translate.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { loadTickers } from '../../app/quotes.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { MarketList } from '../../parts/market/market-list.tsx'

/** All markets with their price and change; a tap opens the desk. */
export function Screen() {
  const { t } = useTranslation()
  const { path, query } = usePlace()
  const kind = query.get('kind') === 'perp' ? 'perp' : 'spot'
  return (
    <Pull onRefresh={loadTickers}>
      <PageHeader title={t('market.title')} hasBack={false} />
      <div className="flex flex-col gap-3 px-4 pb-4">
        <Segmented
          label={t('markets.kind')}
          value={kind}
          onChange={(next) => navigate(next === 'perp' ? `${path}?kind=perp` : path, { replace: true })}
          choices={[
            { value: 'spot', label: t('trade.spot') },
            { value: 'perp', label: t('trade.futures') },
          ]}
        />
        <MarketList key={kind} kind={kind} onChoose={(symbol) => navigate(`${kind === 'perp' ? '/contract' : '/spot'}?symbol=${symbol}`)} />
      </div>
    </Pull>
  )
}
