import type { WireAsset } from '@candor/core/protocol/wire/market.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../ui/figure.tsx'
import { Profit } from './profit.tsx'
import { SummaryRow } from '../ui/sheet.tsx'
import { AverageCost } from './cost-line.tsx'
import { useCost } from './costs.ts'

/** Rows of a coin's details: average cost, gain and realised profit, and how they are counted. Nothing for a coin that never had a cost. */
export function CostRows({ asset }: { readonly asset: WireAsset }) {
  const { t } = useTranslation()
  const isHidden = useSettings((settings) => settings.hideBalances)
  const found = useCost(asset)
  if (found === undefined) return null
  const { cost, gain } = found
  return (
    <>
      <dl className="border-t border-line">
        <SummaryRow label={t('costs.average')}>
          {cost.average === null ? '–' : <AverageCost value={cost.average} asset="USDT" />}
        </SummaryRow>
        {Number(cost.debt) > 0 && (
          <SummaryRow label={t('costs.owed')}>
            <Amount value={cost.debt} asset={asset.symbol} />
          </SummaryRow>
        )}
        <SummaryRow label={t('costs.unrealised')}>
          {gain.unrealised === undefined ? (
            '–'
          ) : (
            <span className="inline-flex flex-wrap justify-end gap-x-2">
              <Profit value={gain.unrealised} asset="USDT" />
              {gain.percent !== undefined && !isHidden && <Profit value={gain.percent} isPercent className="text-13" />}
            </span>
          )}
        </SummaryRow>
        <SummaryRow label={t('costs.realised')}>
          <Profit value={cost.realised} asset="USDT" />
        </SummaryRow>
      </dl>
      <p className="pt-2 text-11 text-fg3">
        {cost.average === null && Number(cost.quantity) > 0 && `${t('costs.partial')} `}
        {t('costs.how')}
      </p>
    </>
  )
}
