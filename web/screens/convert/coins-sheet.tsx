import type { WireConvertTerms } from '@candor/core/protocol/wire/convert.ts'
import type { WireAsset } from '@candor/core/protocol/wire/market.ts'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { Empty } from '../../parts/ui/state.tsx'

/** Above this number of coins the list has a search field. */
const searchFrom = 7

/** Chooses one of the coins that can be converted. `availableOf` gives the user's balance; undefined for visitors. */
export function CoinsSheet({
  title,
  coins,
  assets,
  chosen,
  availableOf,
  onChoose,
  onClose,
}: {
  readonly title: string
  readonly coins: WireConvertTerms['assets']
  readonly assets: readonly WireAsset[]
  readonly chosen: string
  readonly availableOf: (asset: string) => string | undefined
  readonly onChoose: (asset: string) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const nameOf = (asset: string): string => assets.find(({ symbol }) => symbol === asset)?.name ?? ''
  const wanted = text.trim().toLowerCase()
  const shown = coins.filter(({ asset }) => `${asset} ${nameOf(asset)}`.toLowerCase().includes(wanted))
  return (
    <Sheet isOpen onClose={onClose} title={title}>
      {coins.length >= searchFrom && (
        <input
          type="search"
          aria-label={t('convert.search')}
          placeholder={t('convert.search')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="mb-2 h-11 w-full rounded-control bg-s2 px-3.5 text-15"
        />
      )}
      {shown.length === 0 ? (
        <Empty text={t('convert.noneFound')} />
      ) : (
        <ul className="-mx-4">
          {shown.map(({ asset }) => {
            const available = availableOf(asset)
            return (
              <li key={asset}>
                <button
                  type="button"
                  aria-pressed={asset === chosen}
                  onClick={() => onChoose(asset)}
                  className="flex min-h-14 w-full items-center gap-3 px-4 text-start active:bg-s2"
                >
                  <Coin asset={asset} size={32} />
                  <span className="flex min-w-0 flex-1 flex-col">
                    <span className="text-15 font-semibold">{asset}</span>
                    <span className="truncate text-12 text-fg3">{nameOf(asset)}</span>
                  </span>
                  {available !== undefined && <Amount value={available} asset={asset} isBare className="text-13 text-fg2" />}
                  <span className="flex w-5 shrink-0 justify-end text-brand">
                    {asset === chosen && <Check size={18} strokeWidth={2} aria-hidden />}
                  </span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </Sheet>
  )
}
