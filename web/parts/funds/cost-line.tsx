import type { WireAsset } from '@candor/core/protocol/wire/market.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../ui/figure.tsx'
import { Profit } from './profit.tsx'
import { useCost } from './costs.ts'

/** The second line of a coin in a list: its average cost, and what it has gained since. Nothing for a coin without either. */
export function CostLine({ asset }: { readonly asset: WireAsset }) {
  const { t } = useTranslation()
  const isHidden = useSettings((settings) => settings.hideBalances)
  const found = useCost(asset)
  if (found === undefined || (found.cost.average === null && found.gain.unrealised === undefined)) return null
  const { cost, gain } = found
  return (
    <span className="flex w-full flex-wrap justify-between gap-x-3 text-11 text-fg3">
      <span>{cost.average !== null && <Average value={cost.average} label={t('costs.short')} />}</span>
      {gain.unrealised !== undefined && (
        <span className="flex flex-wrap gap-x-1.5">
          <Profit value={gain.unrealised} />
          {gain.percent !== undefined && !isHidden && <Profit value={gain.percent} isPercent />}
        </span>
      )}
    </span>
  )
}

function Average({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <>
      {label} <AverageCost value={value} />
    </>
  )
}

/** An average cost with as many digits as it needs: six significant ones, at least two decimal places. */
export function AverageCost({ value, asset }: { readonly value: string; readonly asset?: string }) {
  const digits = Math.min(12, Math.max(2, 5 - Math.floor(Math.log10(Math.max(Number(value), 1e-9)))))
  return (
    <>
      <Amount value={value} max={digits} min={2} />
      {asset !== undefined && ` ${asset}`}
    </>
  )
}
