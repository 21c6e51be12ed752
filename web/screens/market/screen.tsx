import { useTranslation } from '../../app/translate.ts'
import { navigate } from '../../app/location.ts'
import { loadTickers } from '../../app/quotes.ts'
import { PageHeader } from '../../parts/page.tsx'
import { Pull } from '../../parts/pull.tsx'
import { MarketList } from './market-list.tsx'

/** Every market with its price and day; a tap opens the desk. */
export function Screen() {
  const { t } = useTranslation()
  return (
    <Pull onRefresh={loadTickers}>
      <PageHeader title={t('market.title')} hasBack={false} />
      <div className="px-4 pb-4">
        <MarketList onChoose={(symbol) => navigate(`/spot?symbol=${symbol}`)} />
      </div>
    </Pull>
  )
}
