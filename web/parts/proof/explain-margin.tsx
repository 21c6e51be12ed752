import type {
  MarginLiquidationExplanation,
  MarginLiquidationStage,
  MarginStepExplanation,
  MarginSum,
  MarginWorth,
} from '@candor/core/protocol/wire/explain/liquidation.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Line, Lines, Part, Stage, useFigures, Whole } from './explain-parts.tsx'

/** What set a liquidation of a Margin account off, each step, and what was left. */
export function ExplainedMargin({ liquidation: { stages, omitted, end } }: { readonly liquidation: MarginLiquidationExplanation }) {
  const { t } = useTranslation()
  return (
    <Whole>
      {stages.map((stage) => (
        <Stage key={stage.seq} at={stage.at} seq={stage.seq}>
          <Told stage={stage} />
        </Stage>
      ))}
      {omitted > 0 && <p className="text-13 text-fg2">{t('explain.liquidation.omitted', { count: omitted })}</p>}
      <Part title={t('explain.liquidation.end')}>
        <State worth={end} />
      </Part>
    </Whole>
  )
}

function Told({ stage: { trigger, cancelled, repaid, steps } }: { readonly stage: MarginLiquidationStage }) {
  const { t } = useTranslation()
  const format = useFormats()
  const sums = useSums()
  return (
    <>
      {trigger !== undefined && (
        <Part title={t('explain.liquidation.trigger')}>
          <p>
            {t('explain.liquidation.fell', {
              level: format.exact(trigger.worth.level ?? ''),
              limit: format.exact(trigger.liquidationLevel),
            })}
          </p>
          <State worth={trigger.worth} />
        </Part>
      )}
      {cancelled.length > 0 && <p className="text-13">{t('explain.liquidation.cancelled', { count: cancelled.length })}</p>}
      {repaid.length > 0 && <p className="text-13">{t('explain.liquidation.repaidOwn', { amount: sums(repaid) })}</p>}
      {steps.map((step, n) => (
        <Part key={n} title={t('explain.liquidation.step', { number: n + 1, of: steps.length })}>
          <Step step={step} />
        </Part>
      ))}
    </>
  )
}

/** Every coin at its index price, and the quotient of the sums. */
function State({ worth: { coins, ordersLoss, assets, debt, level } }: { readonly worth: MarginWorth }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { usdt } = useFigures()
  const priced = (asset: string, sum: string, price: string): string =>
    asset === 'USDT' ? `${format.exact(sum)} USDT` : `${format.exact(sum)} ${asset} × ${format.exact(price)}`
  const lines: readonly Line[] = [
    ...coins
      .filter(({ quantity }) => Number(quantity) > 0)
      .map(({ asset, quantity, price, value }) => ({
        name: priced(asset, quantity, price),
        value: usdt(value),
      })),
    ...(Number(ordersLoss) > 0 ? [{ name: t('explain.liquidation.ordersLoss'), value: usdt(`-${ordersLoss}`) }] : []),
    { name: t('explain.liquidation.assets'), value: usdt(assets), isSum: true },
    ...coins
      .filter(({ owed }) => Number(owed) > 0)
      .map(({ asset, owed, price, owedValue }) => ({
        name: t('explain.liquidation.owed', { sum: priced(asset, owed, price) }),
        value: usdt(owedValue),
      })),
    { name: t('explain.liquidation.debt'), value: usdt(debt), isSum: true },
    ...(level === undefined ? [] : [{ name: t('explain.liquidation.level'), value: format.exact(level), isSum: true }]),
  ]
  return <Lines lines={lines} />
}

function Step({ step: { by, orders, repaid, fee, insured, after } }: { readonly step: MarginStepExplanation }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { usdt, pair, shares } = useFigures()
  const sums = useSums()
  return (
    <>
      {by === 'takeOver' && <p>{t('explain.liquidation.takeOver')}</p>}
      {orders.map(({ symbol, orderId, side, fills, fee: tradingFee, feeAsset }) => (
        <div key={orderId} className="flex flex-col gap-1">
          <p>{t(`explain.liquidation.${side}`, { pair: pair(symbol), id: orderId })}</p>
          <Lines lines={shares(symbol, fills)} />
          {Number(tradingFee) > 0 && (
            <Lines lines={[{ name: t('explain.liquidation.tradingFee'), value: `${format.exact(tradingFee)} ${feeAsset}` }]} />
          )}
        </div>
      ))}
      {by === 'fund' && <p>{t('explain.liquidation.fund', { amount: sums(repaid), insured: usdt(insured) })}</p>}
      {by === 'order' && (
        <Lines
          lines={[
            ...repaid.map((one) => ({ name: t('explain.liquidation.repaid'), value: sums([one]) })),
            ...(Number(fee) > 0 ? [{ name: t('explain.liquidation.fee'), value: usdt(fee) }] : []),
          ]}
        />
      )}
      {by !== 'takeOver' && (
        <p>
          {t(after.level === undefined ? 'explain.liquidation.debtless' : 'explain.liquidation.worth', {
            assets: usdt(after.assets),
            debt: usdt(after.debt),
            level: format.exact(after.level ?? ''),
          })}
        </p>
      )}
    </>
  )
}

function useSums(): (sums: readonly MarginSum[]) => string {
  const format = useFormats()
  return (sums) => sums.map(({ asset, amount }) => `${format.exact(amount)} ${asset}`).join(' + ')
}
