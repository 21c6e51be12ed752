import { ArrowLeftRight } from 'lucide-react'
import { Suspense, useCallback, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useIsStale } from '../../app/quotes.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { CertifyGate } from '../../parts/account/certify-gate.tsx'
import { ActionBar, actionClass, clearOfActions } from '../../parts/desk/action-bar.tsx'
import { AmountFields } from '../../parts/desk/amount-fields.tsx'
import { isPricedAtMarket } from '../../parts/desk/form.ts'
import { KindRow } from '../../parts/desk/kind.tsx'
import { LimitOptions } from '../../parts/desk/limit-options.tsx'
import { PriceField } from '../../parts/desk/price-field.tsx'
import { Check } from '../../parts/fields/field.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { later, laterSheets } from '../../parts/ui/later.tsx'
import { formatUnits } from '@candor/core/money/units.ts'
import { type Field, hasTrigger } from './form.ts'
import type { Plan } from './summary.ts'
import { AccountBar } from './account-bar.tsx'
import type { SheetName } from './sheets.tsx'
import type { TicketState } from './use-ticket.ts'

const sheets = () => import('./sheets.tsx')
const more = () => import('./more-fields.tsx')
const ExitFields = later(() => more().then((module) => module.ExitFields))
const TriggerFields = later(() => more().then((module) => module.TriggerFields))
const estimates = () => Promise.all([import('./estimate-rows.tsx'), loadArea('orders')]).then(([module]) => module)
const EstimateRows = later(() => estimates().then((module) => module.EstimateRows))
const EstimatedPrice = later(() => estimates().then((module) => module.EstimatedPrice))
const PerpSheets = laterSheets(
  () => sheets().then((module) => module.PerpSheets),
  ({ ticket, sheet, onClose }) => ({
    isOpen: sheet !== undefined || ticket.confirming !== undefined,
    onClose() {
      onClose()
      ticket.cancel()
    },
  }),
)

/** The order ticket: margin settings, kind, price, size, cost and risk, and a button for each side. */
export function Ticket({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const { form, context, act } = ticket
  const [sheet, setSheet] = useState<SheetName>()
  const [hasOptions, setHasOptions] = useState(false)
  const chooseKind = useCallback(() => setSheet('kind'), [])
  const error = (field: Field): string | undefined => {
    const name = ticket.shown[field]
    return name === undefined ? undefined : t(`refusals.${name}`)
  }

  return (
    <section aria-label={t('trade.ticket')} className={`flex min-w-0 flex-col gap-1.5 ${clearOfActions}`}>
      <AccountBar mode={context.mode} leverage={context.leverage} isHedge={context.isHedge} onOpen={setSheet} />
      {context.isHedge && (
        <Segmented
          size="small"
          label={t('perp.intent')}
          value={form.intent}
          onChange={(intent) => act({ type: 'intent', intent })}
          choices={[
            { value: 'open', label: t('perp.open') },
            { value: 'close', label: t('perp.close') },
          ]}
        />
      )}
      <KindRow form={form} onKind={chooseKind} hasOptions={hasOptions} onOptions={setHasOptions} />

      <PriceFields ticket={ticket} error={error} />

      <AmountFields
        form={form}
        market={context.market}
        quoteScale={context.quoteScale}
        label={t('trade.size')}
        percent={ticket.summary.percent}
        error={error('amount')}
        isVisitor={ticket.isVisitor}
        act={act}
      />
      <Choices ticket={ticket} hasOptions={hasOptions} error={error} />
      <Preview ticket={ticket} onTransfer={() => setSheet('transfer')} />
      <Buttons ticket={ticket} />
      <Suspense fallback={null}>
        <PerpSheets ticket={ticket} sheet={sheet} onClose={() => setSheet(undefined)} />
      </Suspense>
      <CertifyGate isOpen={ticket.gate.isOpen} onClose={ticket.gate.close} />
    </section>
  )
}

export type PartProps = { readonly ticket: TicketState; readonly error: (field: Field) => string | undefined }

/** The price fields of the chosen kind. A market order shows that it has none. */
function PriceFields({ ticket, error }: PartProps) {
  const { t } = useTranslation()
  const { form, context, act } = ticket
  const { market, bid, ask } = context
  const setPrice = useCallback((text: string) => act({ type: 'set', field: 'price', text }), [act])
  return (
    <>
      {form.kind === 'market' && (
        <div className="flex min-h-12 flex-col items-center justify-center rounded-control bg-s2 text-13 text-fg3">
          {t('trade.atMarket')}
          <Suspense fallback={null}>
            <EstimatedPrice ticket={ticket} />
          </Suspense>
        </div>
      )}
      {hasTrigger(form.kind) && (
        <Suspense fallback={<div className="h-24" />}>
          <TriggerFields ticket={ticket} error={error} />
        </Suspense>
      )}
      {!isPricedAtMarket(form.kind) && (
        <PriceField
          label={t('trade.price')}
          value={form.price}
          error={error('price')}
          onChange={setPrice}
          onTake={ticket.take}
          {...{ market, bid, ask }}
        />
      )}
    </>
  )
}

/** Further options: exits, reduce only, post only, time in force. */
function Choices({ ticket, hasOptions, error }: PartProps & { readonly hasOptions: boolean }) {
  const { t } = useTranslation()
  const { form, context, act } = ticket
  const opensOnly = !context.isHedge || form.intent === 'open'
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-x-3 gap-y-2">
        {opensOnly && (
          <Check isOn={form.hasExits} onChange={(hasExits) => act({ type: 'exits', hasExits })}>
            {t('perp.exits')}
          </Check>
        )}
        {!context.isHedge && (
          <Check isOn={form.isReduceOnly} onChange={(isReduceOnly) => act({ type: 'reduceOnly', isReduceOnly })}>
            {t('perp.reduceOnly')}
          </Check>
        )}
      </div>
      <Suspense fallback={null}>{form.hasExits && <ExitFields ticket={ticket} error={error} />}</Suspense>
      {form.kind === 'limit' && hasOptions && <LimitOptions form={form} act={act} />}
    </div>
  )
}

const previewRows =
  'flex flex-col gap-1 text-12 [&>div]:flex [&>div]:flex-wrap [&>div]:items-baseline [&>div]:justify-between [&>div]:gap-x-2 [&_dd]:ms-auto [&_dd]:text-fg [&_dt]:text-fg2'

/** Available balance, cost, largest size and liquidation price, computed with the core's own functions. */
function Preview({ ticket, onTransfer }: { readonly ticket: TicketState; readonly onTransfer: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { context, summary, form } = ticket
  const { market } = context
  const { buy, sell } = summary
  const cost = Math.max(Number(buy.cost ?? 0), Number(sell.cost ?? 0)) === Number(buy.cost ?? 0) ? buy.cost : sell.cost
  const isTaker = isPricedAtMarket(form.kind) || (form.kind === 'limit' && form.timeInForce !== 'GTC')
  const fee = isTaker ? buy.takerFee : buy.makerFee
  const price = (text: string | null): string => (text === null ? '–' : format.exact(text))
  const size = (text: string): string => format.number(text, 0, market.quantityDigits)
  return (
    <div className="flex flex-col gap-1">
      <dl className={previewRows}>
        {!ticket.isVisitor && (
          <div>
            <dt>{t('trade.available')}</dt>
            <dd className="flex items-center gap-1">
              {context.available === undefined ? (
                '–'
              ) : (
                <Amount value={formatUnits(context.available, context.quoteScale)} asset={market.quote} min={2} max={2} />
              )}
              <button
                type="button"
                aria-label={t('perp.transferIn')}
                aria-haspopup="dialog"
                onClick={onTransfer}
                className="-my-1 -me-1.5 flex size-6 items-center justify-center text-brand"
              >
                <ArrowLeftRight size={14} strokeWidth={1.75} aria-hidden />
              </button>
            </dd>
          </div>
        )}
        {!ticket.isVisitor && (
          <div>
            <dt>{t('perp.max')}</dt>
            <dd className="tn">
              <span className="text-up">{size(buy.maxQuantity)}</span> / <span className="text-down">{size(sell.maxQuantity)}</span>
            </dd>
          </div>
        )}
        <Caps buy={buy} sell={sell} currency={market.quote} />
        <div>
          <dt>{t('perp.cost')}</dt>
          <dd className="tn">{cost === undefined ? '–' : `${format.usdt(cost)} ${market.quote}`}</dd>
        </div>
        {form.kind !== 'market' && (
          <div>
            <dt>{isTaker ? t('trade.fee') : t('trade.feeMaker')}</dt>
            <dd className="tn">{fee === undefined ? '–' : `${format.number(fee, 2, 4)} ${market.quote}`}</dd>
          </div>
        )}
        <div>
          <dt>{t('perp.estimatedLiquidation')}</dt>
          <dd className="tn">
            {buy.liquidation === null && sell.liquidation === null ? (
              '–'
            ) : (
              <>
                <span className="text-up">{price(buy.liquidation)}</span> / <span className="text-down">{price(sell.liquidation)}</span>
              </>
            )}
          </dd>
        </div>
      </dl>
      <Suspense fallback={form.kind === 'market' ? <div className="h-10" /> : null}>
        {(form.kind === 'market' || form.kind === 'limit') && <EstimateRows ticket={ticket} className={previewRows} />}
      </Suspense>
    </div>
  )
}

/** The room that a cap on open interest leaves, where that cap limits the largest size. */
function Caps({ buy, sell, currency }: { readonly buy: Plan; readonly sell: Plan; readonly currency: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const left = (plan: Plan): string => (plan.cap?.by === 'user' ? format.number(plan.cap.left, 0, 2) : '–')
  const market = [buy, sell].find((plan) => plan.cap?.by === 'market')?.cap
  const isOwn = buy.cap?.by === 'user' || sell.cap?.by === 'user'
  return (
    <>
      {market !== undefined && (
        <div>
          <dt>{t('perp.cap.market')}</dt>
          <dd className="tn">{`${format.number(market.left, 0, 2)} ${currency}`}</dd>
        </div>
      )}
      {isOwn && (
        <div>
          <dt>{t('perp.cap.user')}</dt>
          <dd className="tn">
            <span className="text-up">{left(buy)}</span> / <span className="text-down">{left(sell)}</span> {currency}
          </dd>
        </div>
      )}
    </>
  )
}

function Buttons({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const isStale = useIsStale()
  const { context, form } = ticket
  const { market } = context
  if (ticket.isVisitor) {
    return (
      <ActionBar>
        <ButtonLink to={`/login?next=/contract?symbol=${market.symbol}`} isWide>
          {t('trade.login')}
        </ButtonLink>
      </ActionBar>
    )
  }
  const isBlocked = isStale || !market.isTrading
  const isClose = context.isHedge && form.intent === 'close'
  return (
    <>
      {isBlocked && (
        <p role="status" className="text-11 text-fg3">
          {market.isTrading ? t('trade.waitsForPrices') : t('refusals.MARKET_HALTED')}
        </p>
      )}
      {hasTrigger(form.kind) && <p className="text-11 text-fg3">{t('perp.triggerHint')}</p>}
      <ActionBar>
        <Button
          variant="up"
          className={actionClass}
          disabled={isBlocked}
          isBusy={ticket.isSending === 'buy' && ticket.confirming === undefined}
          onClick={() => ticket.press('buy')}
        >
          {isClose ? t('perp.closeShort') : context.isHedge ? t('perp.openLong') : t('perp.buyLong')}
        </Button>
        <Button
          variant="down"
          className={actionClass}
          disabled={isBlocked}
          isBusy={ticket.isSending === 'sell' && ticket.confirming === undefined}
          onClick={() => ticket.press('sell')}
        >
          {isClose ? t('perp.closeLong') : context.isHedge ? t('perp.openShort') : t('perp.sellShort')}
        </Button>
      </ActionBar>
    </>
  )
}
