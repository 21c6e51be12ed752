/** Announces, once and on any screen, that a margin account is close to liquidation or being liquidated. */
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { marketNow } from '../../app/config.ts'
import { tick } from '../../app/haptics.ts'
import { navigate } from '../../app/location.ts'
import { onPersonChange } from '../../app/session.ts'
import { loadArea } from '../../app/texts.ts'
import { translate } from '../../app/translate.ts'
import { announce } from '../notices/banner.tsx'

type MarginUpdate = Extract<UserUpdate, { readonly e: 'margin' }>

const last = new Map<string, MarginUpdate['state']>()
/** Functions that remove open warnings, by account. The notice of a liquidation stays until the user has closed it. */
const warnings = new Map<string, () => void>()

onPersonChange(() => {
  last.clear()
  for (const close of warnings.values()) close()
  warnings.clear()
})

export async function notice({ symbol, state }: MarginUpdate): Promise<void> {
  if (state === undefined) return
  const key = symbol ?? ''
  const before = last.get(key)
  last.set(key, state)
  if (state === before) return
  warnings.get(key)?.()
  if (state === 'safe') return
  await Promise.all([loadArea('loans'), loadArea('accounts')]).catch(() => undefined)
  const market = symbol === undefined ? undefined : marketNow(symbol)
  const account =
    market === undefined
      ? translate('accounts.name.margin-cross')
      : translate('accounts.isolatedOf', { pair: `${market.base}/${market.quote}` })
  // The account may have changed while the texts were loading.
  if (state === 'watch' && last.get(key) !== state) return
  tick(12)
  const close = announce({
    text: state === 'watch' ? translate('loans.notice.watch', { account }) : translate('loans.notice.liquidating', { account }),
    ...(state === 'watch' ? { detail: translate('loans.notice.watchDetail') } : {}),
    tone: 'bad',
    stays: true,
    action: {
      text: translate('loans.notice.details'),
      run: () => navigate(pathOf(symbol, state)),
    },
  })
  if (state === 'watch') warnings.set(key, close)
}

/** The path that a notice opens: the reasons of a liquidation, or the desk for a warning. */
function pathOf(symbol: string | undefined, state: MarginUpdate['state']): string {
  const query = [symbol === undefined ? '' : `symbol=${symbol}`, state === 'liquidating' ? 'tab=liquidations' : ''].filter(Boolean)
  return query.length === 0 ? '/lever' : `/lever?${query.join('&')}`
}
