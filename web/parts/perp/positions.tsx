import { Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Empty, Failure } from '../ui/state.tsx'
import { usePerpAccount, usePerpOrders } from './account.ts'
import { PositionCard } from './position-card.tsx'

/** The user's open positions as cards, of one market or of all. */
export function Positions({
  symbol = '',
  top,
  action,
}: {
  readonly symbol?: string
  /** Shown above the cards. */
  readonly top?: ReactNode
  /** Shown when there are no positions. */
  readonly action?: ReactNode
}) {
  const { t } = useTranslation()
  const query = usePerpAccount()
  const orders = usePerpOrders().data ?? []
  if (query.data === undefined) return query.error === null ? <RowsSkeleton rows={2} /> : <Failure error={query.error} isSmall />
  const shown = query.data.positions.filter((position) => symbol === '' || position.symbol === symbol)
  return (
    <div className="flex flex-col gap-3 pt-2 pb-4">
      {top !== undefined && <div className="flex px-4">{top}</div>}
      {shown.length === 0 && (
        <Empty text={t('positions.noPositions')} icon={<Layers size={22} strokeWidth={1.75} />}>
          {action}
        </Empty>
      )}
      {shown.map((position) => (
        <PositionCard key={position.id} position={position} orders={orders} isHedge={query.data.isHedge} />
      ))}
    </div>
  )
}
