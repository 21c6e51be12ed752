import { Suspense } from 'react'
import { client } from '../../app/client.ts'
import { useTranslation } from '../../app/translate.ts'
import { RunningAlgos } from '../../parts/algo/running.tsx'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { CancelAllButton, OrderList } from '../../parts/order/order-list.tsx'
import { usePerpOrders } from '../../parts/perp/account.ts'
import { perp } from '../../parts/perp/api.ts'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { later } from '../../parts/ui/later.tsx'
import { useOpenOrders } from '../../parts/order/own-orders.ts'
import type { Product } from './product.ts'
import type { Bounds } from './span.ts'

const PerpOrderList = later(() => import('../../parts/perp/order-list.tsx').then((module) => module.PerpOrderList))

type OpenProps = { readonly product: Product; readonly symbol: string }

function useOpen({ product, symbol }: OpenProps) {
  const [spot, perps] = [useOpenOrders(), usePerpOrders()]
  const query = product === 'perp' ? perps : spot
  return { query, orders: query.data?.filter((order) => symbol === '' || order.symbol === symbol) }
}

export function CancelAll(props: OpenProps) {
  const count = useOpen(props).orders?.length ?? 0
  if (count === 0) return null
  const send = props.product === 'perp' ? perp.cancelAll : client.spot.cancelAll
  return <CancelAllButton {...(props.symbol === '' ? {} : { symbol: props.symbol })} count={count} send={send} />
}

export function Open(props: OpenProps) {
  const { t } = useTranslation()
  const { query, orders } = useOpen(props)
  if (orders === undefined)
    return query.error === null ? <RowsSkeleton /> : <Failure error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className="wide-cards">
      <RunningAlgos isAlways product={props.product} {...(props.symbol === '' ? {} : { symbol: props.symbol })} />
      {orders.length === 0 && <Nothing product={props.product} text={t('orders.noneOpen')} />}
      {orders.length > 0 && props.product === 'spot' && <OrderList orders={orders} />}
      {orders.length > 0 && props.product === 'perp' && (
        <Suspense fallback={<RowsSkeleton />}>
          <PerpOrderList orders={orders} />
        </Suspense>
      )}
    </div>
  )
}

/** Says that a list is empty. `bounds`: the span of time that the list is limited to. */
export function Nothing({ product, text, bounds = {} }: { readonly product: Product; readonly text: string; readonly bounds?: Bounds }) {
  const { t } = useTranslation()
  if (bounds.from !== undefined || bounds.to !== undefined) return <Empty text={t('closed.dates.none')} />
  return (
    <Empty text={text}>
      <NothingYet product={product} />
    </Empty>
  )
}

export function NothingYet({ product }: { readonly product: Product }) {
  const { t } = useTranslation()
  return (
    <ButtonLink to={product === 'perp' ? '/contract' : '/spot'} variant="soft" size="small">
      {t('orders.toTrade')}
    </ButtonLink>
  )
}
