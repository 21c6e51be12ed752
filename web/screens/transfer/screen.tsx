import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { isPlace, type Move } from '../../parts/transfer/places.ts'
import { TransferForm } from '../../parts/transfer/form.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { Recent } from './recent.tsx'

/** Transfers between the user's accounts. `?from&to&asset&symbol` set the initial values. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const me = useMe()
  const config = useConfig()
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: ['own'] })}>
      <PageHeader title={t('accounts.move.title')} fallback="/property" />
      {me === undefined ? (
        <Empty text={t('accounts.move.loginFirst')}>
          <ButtonLink to="/login?next=/transfer" size="medium">
            {t('trade.login')}
          </ButtonLink>
        </Empty>
      ) : config.data === undefined ? (
        config.error === null ? (
          <RowsSkeleton rows={5} />
        ) : (
          <Failure error={config.error} />
        )
      ) : (
        <div className="wide-columns flex flex-col gap-6 pt-2 pb-8">
          <TransferForm
            config={config.data}
            start={startOf(query, config.data)}
            onDone={() => undefined}
            layout={({ body, button }) => (
              <div className="flex flex-col gap-4 px-4">
                {body}
                {button}
              </div>
            )}
          />
          <Recent />
        </div>
      )}
    </Pull>
  )
}

function startOf(query: URLSearchParams, config: WireConfig): Move {
  const [from, to, symbol] = [query.get('from'), query.get('to'), query.get('symbol')]
  const pair = config.markets.find((market) => market.kind === 'spot' && market.symbol === symbol) ?? config.markets[0]
  const asset = config.assets.find((one) => one.symbol === query.get('asset'))
  const source = isPlace(from) ? from : isPlace(to) && to === 'spot' ? 'perp' : 'spot'
  return {
    from: source,
    to: isPlace(to) ? to : source === 'spot' ? 'perp' : 'spot',
    asset: asset?.symbol ?? 'USDT',
    symbol: pair?.symbol ?? 'BTCUSDT',
  }
}
