import { loadTickers } from '../../app/quotes.ts'
import { queries } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { Pull } from '../../parts/ui/pull.tsx'
import { useTitle } from '../../parts/ui/page.tsx'
import { useTranslation } from '../../app/translate.ts'
import { Dashboard } from './dashboard.tsx'
import { Visitor } from './visitor.tsx'

export function Screen() {
  const { t } = useTranslation()
  const me = useMe()
  useTitle(t('shell.home'))
  return (
    <Pull onRefresh={() => Promise.all([loadTickers(), queries.refetchQueries({ type: 'active' })])}>
      {me === undefined ? <Visitor /> : <Dashboard />}
    </Pull>
  )
}
