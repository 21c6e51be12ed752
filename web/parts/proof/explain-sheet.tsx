import * as column from '@candor/client/column/proof/explain.ts'
import { bind } from '@candor/client/bind.ts'
import type {
  ConversionExplanation,
  FillExplanation,
  WireExplanation,
  WireExplanationSubject,
} from '@candor/core/protocol/wire/explain/explanation.ts'
import { useQuery } from '@tanstack/react-query'
import { http, queries } from '../../app/client.ts'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Sheet } from '../ui/sheet.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'
import { ExplainedLiquidation } from './explain-liquidation.tsx'
import { ExplainedMargin } from './explain-margin.tsx'
import { End, Part } from './explain-parts.tsx'

const explain = bind(column, http)
/** While it is worked out. */
const pollMs = 1_000

const titles = {
  fill: 'explain.title',
  conversion: 'explain.sums',
  liquidation: 'explain.liquidation.title',
  marginLiquidation: 'explain.liquidation.title',
} as const

/** Why a result is as it is, worked out again from the journal. */
export function ExplainSheet({ subject, onClose }: { readonly subject: WireExplanationSubject; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const queryKey = ['own', 'explanations', subject]
  const query = useQuery({
    queryKey,
    queryFn() {
      const known = queries.getQueryData<WireExplanation>(queryKey)
      return known?.state === 'waiting' ? explain.read(known.id) : explain.ask(subject)
    },
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? pollMs : false),
  })
  const { data, error } = query
  return (
    <Sheet isOpen onClose={onClose} title={t(titles[subject.kind])}>
      {data === undefined ? (
        error === null ? (
          <RowsSkeleton rows={4} />
        ) : (
          <Failure error={error} onRetry={() => void query.refetch()} isSmall />
        )
      ) : data.fault !== undefined ? (
        <p className="pb-2 text-13 text-fg2">{t(`explain.fault.${data.fault}`)}</p>
      ) : (
        <>
          {data.state === 'waiting' && <Waiting percent={data.percent ?? 0} />}
          {data.fill !== undefined && <ExplainedFill fill={data.fill} />}
          {data.conversion !== undefined && <ExplainedConversion conversion={data.conversion} />}
          {data.liquidation !== undefined && <ExplainedLiquidation liquidation={data.liquidation} />}
          {data.marginLiquidation !== undefined && <ExplainedMargin liquidation={data.marginLiquidation} />}
        </>
      )}
    </Sheet>
  )
}

function Waiting({ percent }: { readonly percent: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <div role="status" className="flex flex-col gap-2 pb-2 text-13">
      <p>{t('explain.waiting', { percent: format.percent(String(percent / 100), 0) })}</p>
      <span aria-hidden className="h-1 overflow-hidden rounded-full bg-s3">
        <span className="block h-full bg-brand" style={{ width: `${percent}%` }} />
      </span>
      <p className="text-fg2">{t('explain.waitHint')}</p>
    </div>
  )
}

/** The queue before a fill, its price, its quantity and its fee. */
function ExplainedFill({ fill }: { readonly fill: FillExplanation }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(fill.symbol)
  const [base, quote] = [market?.base ?? '', market?.quote ?? '']
  const price = `${format.exact(fill.price)} ${quote}`
  const quantity = (text: string): string => `${format.exact(text)} ${base}`
  const before = quantity(fill.filledBefore)
  return (
    <div className="flex flex-col gap-4 pb-2">
      <Part title={t('explain.queue')}>
        {fill.taker === undefined ? (
          <Maker fill={fill} quantity={quantity} />
        ) : (
          <Taker taker={fill.taker} price={price} quantity={quantity} />
        )}
      </Part>
      <Part title={t('explain.price')}>
        <p>{t(fill.role === 'maker' ? 'explain.priceMaker' : 'explain.priceTaker', { price })}</p>
        {fill.limit !== undefined && fill.role === 'taker' && (
          <p>{t('explain.limit', { limit: `${format.exact(fill.limit)} ${quote}` })}</p>
        )}
      </Part>
      <Part title={t('explain.quantity')}>
        <p>
          {fill.orderQuantity === undefined
            ? t('explain.part', { quantity: quantity(fill.quantity), before })
            : t('explain.partOf', { quantity: quantity(fill.quantity), whole: quantity(fill.orderQuantity), before })}
        </p>
      </Part>
      <Fee fee={fill.fee} />
      <End seq={fill.seq} />
    </div>
  )
}

type Quantity = (text: string) => string

function Taker({
  taker: { levels, queue, takenBetter, takenBefore },
  price,
  quantity,
}: {
  readonly taker: NonNullable<FillExplanation['taker']>
  readonly price: string
  readonly quantity: Quantity
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const shown = quantity(queue.quantity)
  return (
    <>
      <p>
        {queue.betterLevels === 0
          ? t('explain.takerBest', { price, shown })
          : t('explain.takerBetter', { count: queue.betterLevels, better: quantity(queue.betterQuantity), price, shown })}
      </p>
      {levels.length > 1 && (
        <ul className="tn flex flex-col gap-0.5 text-12">
          {levels.map((level) => (
            <li key={level.price} className="flex justify-between gap-2">
              <span className="text-fg2">{format.exact(level.price)}</span>
              <span>{quantity(level.quantity)}</span>
            </li>
          ))}
        </ul>
      )}
      {Number(takenBetter) + Number(takenBefore) > 0 && (
        <p>{t('explain.takerTook', { better: quantity(takenBetter), before: quantity(takenBefore) })}</p>
      )}
    </>
  )
}

function Maker({ fill: { maker }, quantity }: { readonly fill: FillExplanation; readonly quantity: Quantity }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (maker === undefined) return null
  const { rest, noRest, takenBetter, takenBefore } = maker
  const isFirst = rest !== undefined && Number(rest.betterQuantity) + Number(rest.quantity) === 0
  return (
    <>
      {noRest !== undefined && <p>{t(`explain.noRest.${noRest}`)}</p>}
      {rest !== undefined &&
        (isFirst ? (
          <p>{t('explain.makerFirst', { time: format.dateTime(rest.at) })}</p>
        ) : (
          <>
            <p>
              {t('explain.makerRest', {
                time: format.dateTime(rest.at),
                better: quantity(rest.betterQuantity),
                ahead: quantity(rest.quantity),
              })}
            </p>
            <p>{t('explain.makerCame')}</p>
          </>
        ))}
      <p>
        {Number(takenBetter) + Number(takenBefore) > 0
          ? t('explain.makerTook', { better: quantity(takenBetter), before: quantity(takenBefore) })
          : t('explain.makerAtOnce')}
      </p>
    </>
  )
}

function Fee({ fee }: { readonly fee: FillExplanation['fee'] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const sum = (text: string): string => `${format.exact(text)} ${fee.asset}`
  const due = fee.due ?? fee.amount
  const values = { base: sum(fee.base), rate: format.ppm(fee.ratePpm), exact: sum(fee.exact), amount: sum(due) }
  return (
    <Part title={t('trade.fee')}>
      {fee.source !== 'none' && (
        <p className="tn">{Number(fee.exact) === Number(due) ? t('explain.feeExact', values) : t('explain.feeRounded', values)}</p>
      )}
      <p>
        {t(`explain.source.${fee.source}`, {
          tier: fee.tier,
          volume: `${format.sum(fee.volume, 'USDT')} USDT`,
          market: format.ppm(fee.marketPpm),
        })}
      </p>
      {fee.due !== undefined && <p>{t('explain.feeDue', { amount: sum(fee.amount) })}</p>}
    </Part>
  )
}

/** The prices that counted, the sum that follows from them, and the index that decided. */
function ExplainedConversion({ conversion }: { readonly conversion: ConversionExplanation }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { from, to, give, get, named, fromIndex, toIndex, fromPrice, toPrice, exact, decision } = conversion
  const usdt = (text: string): string => `${format.exact(text)} USDT`
  const sides = [
    { coin: from, price: fromPrice, index: fromIndex },
    { coin: to, price: toPrice, index: toIndex },
  ]
  const sums = {
    give: `${format.exact(give)} ${from}`,
    get: `${format.exact(get)} ${to}`,
    fromPrice: format.exact(fromPrice),
    toPrice: format.exact(toPrice),
    spread: format.ppm(conversion.spreadPpm),
    exact: `${format.exact(exact)} ${named === 'give' ? to : from}`,
  }
  return (
    <div className="flex flex-col gap-4 pb-2">
      <Part title={t('explain.prices')}>
        {sides
          .filter(({ coin }) => coin !== 'USDT')
          .map(({ coin, price, index }) => (
            <p key={coin}>
              {price === index
                ? t('explain.byIndex', { coin, price: usdt(price) })
                : t('explain.byBook', { coin, price: usdt(price), index: usdt(index) })}
            </p>
          ))}
      </Part>
      <Part title={t('explain.sum')}>
        <p className="tn">{t(named === 'give' ? 'explain.given' : 'explain.wanted', sums)}</p>
        <p>{t('explain.spread', { spread: sums.spread })}</p>
      </Part>
      {decision !== undefined && (
        <Part title={t('explain.decision')}>
          <p>
            {t('explain.decided', {
              time: format.clock(decision.at),
              from: usdt(decision.fromIndex),
              to: usdt(decision.toIndex),
              fromBefore: usdt(fromIndex),
              toBefore: usdt(toIndex),
              drift: format.ppm(conversion.driftPpm),
            })}
          </p>
        </Part>
      )}
      <End seq={conversion.seq} />
    </div>
  )
}
