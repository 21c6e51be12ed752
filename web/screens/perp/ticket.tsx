import { ArrowLeftRight } from 'lucide-react'
import { Suspense, useCallback, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useIsStale } from '../../app/quotes.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
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
import { Term, termLook } from '../../parts/help/term.tsx'
import { focusFirstWrong } from '../../parts/fields/first-wrong.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import { Funded } from '../../parts/transfer/funded.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { later, laterSheets } from '../../parts/ui/later.tsx'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { type Field, hasTrigger } from './form.ts'
import { AccountBar } from './account-bar.tsx'
import type { SheetName } from './sheets.tsx'
import type { TicketState } from './use-ticket.ts'

const sheets = () => import('./sheets.tsx')
const more = () => import('./more-fields.tsx')
const ExitFields = later(() => more().then((module) => module.ExitFields))
const TriggerFields = later(() => more().then((module) => module.TriggerFields))
const Caps = later(() => more().then((module) => module.Caps))
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
    return name === undefined ? undefined : ticket.say(field, name)
  }

  return (
    <section aria-label={t('trade.ticket')} onBlur={ticket.leave} className={`flex min-w-0 flex-col gap-1.5 ${clearOfActions}`}>
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
      <Preview ticket={ticket} isShort={useIsWide()} onTransfer={() => setSheet('transfer')} />
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

/** What the order needs and risks, computed with the core's own functions. `isShort`: most of it is below the buttons. */
function Preview({
  ticket,
  isShort,
  onTransfer,
}: {
  readonly ticket: TicketState
  readonly isShort: boolean
  readonly onTransfer: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { context, summary, form, isVisitor } = ticket
  const { market } = context
  const size = (text: string): string => format.number(text, market.quantityDigits, market.quantityDigits)
  return (
    <div className="flex flex-col gap-1">
      {!isVisitor && (
        <dl className={previewRows}>
          <div>
            <dt>{t('trade.available')}</dt>
            <dd className="flex items-center gap-1">
              {context.available === undefined ? (
                '–'
              ) : (
                <Amount value={formatUnits(context.available, context.quoteScale)} asset={market.quote} />
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
          {!isShort && (
            <div>
              <dt>{t('perp.max')}</dt>
              <dd className="tn">
                <Both buy={size(summary.buy.maxQuantity)} sell={size(summary.sell.maxQuantity)} />
              </dd>
            </div>
          )}
          {(summary.buy.cap ?? summary.sell.cap) !== undefined && (
            <Suspense fallback={null}>
              <Caps buy={summary.buy} sell={summary.sell} currency={market.quote} />
            </Suspense>
          )}
        </dl>
      )}
      {!isShort && <Costs ticket={ticket} />}
      <Suspense fallback={form.kind === 'market' ? <div className="h-10" /> : null}>
        {(form.kind === 'market' || form.kind === 'limit') && <EstimateRows ticket={ticket} className={previewRows} />}
      </Suspense>
    </div>
  )
}

/** What a buyer and a seller would read, each in the colour of its button. */
function Both({ buy, sell }: { readonly buy: string; readonly sell: string }) {
  return (
    <>
      <span className="text-up">{buy}</span> / <span className="text-down">{sell}</span>
    </>
  )
}

/** Cost, fee and liquidation price of the order. */
function Costs({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { context, summary, form } = ticket
  const { market } = context
  const { buy, sell } = summary
  const cost = Number(sell.cost ?? 0) > Number(buy.cost ?? 0) ? sell.cost : buy.cost
  const isTaker = isPricedAtMarket(form.kind) || (form.kind === 'limit' && form.timeInForce !== 'GTC')
  const fee = isTaker ? buy.takerFee : buy.makerFee
  const feeLabel = isTaker ? t('trade.fee') : t('trade.feeMaker')
  const price = (text: string | null): string => (text === null ? '–' : format.exact(text))
  return (
    <div className="relative">
      <dl className={previewRows}>
        <div>
          <dt className={termLook}>{t('perp.cost')}</dt>
          <dd className="tn">{cost === undefined ? '–' : `${format.usdt(cost)} ${market.quote}`}</dd>
        </div>
        {form.kind !== 'market' && (
          <div>
            <dt className={termLook}>{feeLabel}</dt>
            <dd className="tn">{fee === undefined ? '–' : `${format.sum(fee, market.quote)} ${market.quote}`}</dd>
          </div>
        )}
        <div>
          <dt className={termLook}>{t('perp.estimatedLiquidation')}</dt>
          <dd className="tn">
            {(buy.liquidation ?? sell.liquidation) === null ? '–' : <Both buy={price(buy.liquidation)} sell={price(sell.liquidation)} />}
          </dd>
        </div>
      </dl>
      <Term id="initial" also={['maker', 'liquidation']} covers={`${t('perp.cost')}, ${feeLabel}, ${t('perp.estimatedLiquidation')}`} />
    </div>
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
  const press = (side: Side, button: HTMLElement): void => {
    ticket.press(side)
    focusFirstWrong(button.closest('section'))
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
        <Funded wanted={{ to: 'perp', asset: market.quote, symbol: market.symbol }} isEmpty={ticket.isEmpty}>
          <Button
            variant="up"
            className={actionClass}
            disabled={isBlocked}
            isBusy={ticket.isSending === 'buy' && ticket.confirming === undefined}
            onClick={(event) => press('buy', event.currentTarget)}
          >
            {isClose ? t('perp.closeShort') : context.isHedge ? t('perp.openLong') : t('perp.buyLong')}
          </Button>
          <Button
            variant="down"
            className={actionClass}
            disabled={isBlocked}
            isBusy={ticket.isSending === 'sell' && ticket.confirming === undefined}
            onClick={(event) => press('sell', event.currentTarget)}
          >
            {isClose ? t('perp.closeLong') : context.isHedge ? t('perp.openShort') : t('perp.sellShort')}
          </Button>
        </Funded>
      </ActionBar>
    </>
  )
}
