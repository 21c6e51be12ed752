import type {
  LiquidationExplanation,
  LiquidationStage,
  LiquidationState,
  LiquidationStepExplanation,
  LiquidationTrigger,
} from '@candor/core/protocol/wire/explain/liquidation.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Line, Lines, Part, Stage, useFigures, Whole } from './explain-parts.tsx'

/** What set a liquidation of Futures off, what stood behind the position, each step, and what was left. */
export function ExplainedLiquidation({ liquidation }: { readonly liquidation: LiquidationExplanation }) {
  const { t } = useTranslation()
  const { usdt } = useFigures()
  const { stages, omitted, end, mode } = liquidation
  const isCross = mode === 'cross'
  return (
    <Whole>
      {stages.map((stage) => (
        <Stage key={stage.seq} at={stage.at} seq={stage.seq}>
          <Told stage={stage} isCross={isCross} />
        </Stage>
      ))}
      {omitted > 0 && <p className="text-13 text-fg2">{t('explain.liquidation.omitted', { count: omitted })}</p>}
      <Part title={t('explain.liquidation.end')}>
        {end.positions.length === 0 ? (
          <p>{t('explain.liquidation.nothing', { balance: usdt(end.balance) })}</p>
        ) : (
          <State state={end} isCross={isCross} />
        )}
      </Part>
    </Whole>
  )
}

function Told({ stage: { trigger, before, cancelled, steps }, isCross }: { readonly stage: LiquidationStage; readonly isCross: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      {trigger !== undefined && <Trigger trigger={trigger} />}
      {cancelled.length > 0 && <p className="text-13">{t('explain.liquidation.cancelled', { count: cancelled.length })}</p>}
      {before !== undefined && (
        <Part title={t(isCross ? 'explain.liquidation.account' : 'explain.liquidation.position')}>
          <State state={before} isCross={isCross} />
          <p>{t('explain.liquidation.rule')}</p>
        </Part>
      )}
      {steps.map((step, n) => (
        <Part key={n} title={t('explain.liquidation.step', { number: n + 1, of: steps.length })}>
          <Step step={step} isCross={isCross} />
        </Part>
      ))}
    </>
  )
}

function Trigger({ trigger: { markBefore, mark, index, due, sources, symbol } }: { readonly trigger: LiquidationTrigger }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { pair } = useFigures()
  const values = { pair: pair(symbol), mark: format.exact(mark), index: format.exact(index) }
  return (
    <Part title={t('explain.liquidation.trigger')}>
      <p>
        {markBefore === undefined || markBefore === mark
          ? t('explain.liquidation.mark', values)
          : t('explain.liquidation.marked', { ...values, before: format.exact(markBefore) })}
      </p>
      {due !== undefined && <p>{t('explain.liquidation.due', { due: format.exact(due) })}</p>}
      {sources.length > 0 && (
        <>
          <p>{t('explain.liquidation.sources')}</p>
          <Lines lines={sources.map(({ venue, price }) => ({ name: venue, value: format.exact(price) }))} />
        </>
      )}
    </Part>
  )
}

/** Everything that counted, one line each, and its sums. */
function State({
  state: { balance, positions, equity, maintenance },
  isCross,
}: {
  readonly state: LiquidationState
  readonly isCross: boolean
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { usdt, pair, quantity } = useFigures()
  const lines: readonly Line[] = [
    ...(isCross ? [{ name: t('explain.liquidation.balance'), value: usdt(balance) }] : []),
    ...positions.flatMap((one) => [
      {
        name: t(`explain.liquidation.${one.side}`, { pair: pair(one.symbol), quantity: quantity(one.symbol, one.quantity) }),
        value: `${format.exact(one.entry)} → ${format.exact(one.mark)}`,
      },
      { name: t('explain.liquidation.profit'), value: usdt(one.profit) },
      { name: t('explain.liquidation.margin'), value: usdt(one.margin) },
    ]),
    { name: t('explain.liquidation.equity'), value: usdt(equity), isSum: true },
    ...(positions.length === 1
      ? []
      : positions.map((one) => ({
          name: t('explain.liquidation.required', { of: pair(one.symbol), percent: format.ppm(one.maintenancePpm) }),
          value: usdt(one.maintenance),
        }))),
    {
      name:
        positions.length === 1
          ? t('explain.liquidation.requiredOf', { percent: format.ppm(positions[0]!.maintenancePpm) })
          : t('explain.liquidation.requiredSum'),
      value: usdt(maintenance),
      isSum: true,
    },
  ]
  return <Lines lines={lines} />
}

function Step({ step, isCross }: { readonly step: LiquidationStepExplanation; readonly isCross: boolean }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { usdt, pair, quantity, shares } = useFigures()
  const { symbol, orderId, fills, takenOver, deleveraged, fee, insured, left } = step
  const values = { pair: pair(symbol), asked: quantity(symbol, step.asked), closed: quantity(symbol, step.closed) }
  const isGone = Number(left) === 0
  return (
    <>
      {orderId !== undefined && (
        <p>{t(fills.length === 0 ? 'explain.liquidation.unfilled' : 'explain.liquidation.order', { ...values, id: orderId })}</p>
      )}
      <Lines lines={shares(symbol, fills)} />
      {orderId === undefined && <p>{t('explain.liquidation.noOrder')}</p>}
      {takenOver.map((part) => (
        <p key={part.price}>
          {t('explain.liquidation.takenOver', { quantity: quantity(symbol, part.quantity), price: format.exact(part.price) })}
        </p>
      ))}
      {deleveraged.map((part) => (
        <p key={part.price}>
          {t('explain.liquidation.deleveraged', { quantity: quantity(symbol, part.quantity), price: format.exact(part.price) })}
        </p>
      ))}
      <Lines
        lines={[
          { name: t('explain.liquidation.realised'), value: usdt(step.realised) },
          ...(Number(fee) > 0 ? [{ name: t('explain.liquidation.fee'), value: usdt(fee) }] : []),
        ]}
      />
      {Number(insured) > 0 && <p>{t('explain.liquidation.insured', { insured: usdt(insured) })}</p>}
      <p>
        {isGone && !isCross
          ? t('explain.liquidation.gone')
          : t('explain.liquidation.left', {
              left: quantity(symbol, left),
              equity: usdt(step.equityAfter),
              required: usdt(step.maintenanceAfter),
            })}
      </p>
    </>
  )
}
