import { Suspense, useCallback, useState } from 'react'
import { painted } from '../../app/painted.ts'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { useIsStale } from '../../app/quotes.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { loadArea } from '../../app/texts.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ActionBar, clearOfActions } from '../desk/action-bar.tsx'
import { AmountFields } from '../desk/amount-fields.tsx'
import { isPricedAtMarket } from '../desk/form.ts'
import { KindRow } from '../desk/kind.tsx'
import { LimitOptions } from '../desk/limit-options.tsx'
import { ticketRows } from '../desk/ticket-rows.ts'
import { PriceField } from '../desk/price-field.tsx'
import { Amount } from '../ui/figure.tsx'
import { Term } from '../help/term.tsx'
import { focusFirstWrong } from '../fields/first-wrong.ts'
import { NumberField } from '../fields/number-field.tsx'
import { Funded } from '../transfer/funded.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { later, laterSheet, laterSheets } from '../ui/later.tsx'
import { type Field, orderKinds } from './form.ts'
import type { TicketState } from './use-ticket.ts'

/** Loaded after the desk, before anybody has filled in an order. */
const ConfirmOrder = laterSheets(
  () => import('./confirm-order.tsx').then((module) => module.ConfirmOrder),
  ({ ticket }) => ({ isOpen: ticket.isConfirming, onClose: ticket.cancel }),
)
/** Shown once something is typed. */
const estimates = () => Promise.all([import('./estimate-rows.tsx'), loadArea('orders')]).then(([module]) => module)
const EstimateRows = later(() => estimates().then((module) => module.EstimateRows))
const EstimatedPrice = later(() => estimates().then((module) => module.EstimatedPrice))

/** Below the button in a wide window. */
const SentNow = later(() =>
  Promise.all([import('./sent-now.tsx'), loadArea('orders'), loadArea('perp')]).then(([module]) => module.SentNow),
)

const TurnoverSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./turnover-sheet.tsx'), loadArea('certify')])
  return sheet.TurnoverSheet
})

/** Loaded after the desk, so that a first load has less to wait for. */
const KindSheet = laterSheets(
  () =>
    painted()
      .then(() => import('../algo/kind-sheet.tsx'))
      .then((module) => module.KindSheet<(typeof orderKinds)[number]>),
  ({ isOpen, onClose }) => ({ isOpen, onClose }),
)

/** The order ticket: side, kind, price, amount, cost and proceeds, and one button. */
export function Ticket({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const { form, context, act } = ticket
  const { market } = context
  const [isChoosing, setIsChoosing] = useState(false)
  const [hasOptions, setHasOptions] = useState(false)
  const isWide = useIsWide()
  const choose = useCallback(() => setIsChoosing(true), [])
  const isBuy = form.side === 'buy'
  const action = isBuy ? t('trade.buyCoin', { coin: market.base }) : t('trade.sellCoin', { coin: market.base })
  const error = (field: Field): string | undefined => {
    const name = ticket.shown[field]
    return name === undefined ? undefined : ticket.say(field, name)
  }

  return (
    <section aria-label={t('trade.ticket')} onBlur={ticket.leave} className={`flex min-w-0 flex-col gap-2 ${clearOfActions}`}>
      <Segmented
        label={t('trade.side')}
        value={form.side}
        onChange={(side) => act({ type: 'side', side })}
        tone={(side) => (side === 'buy' ? 'up' : 'down')}
        choices={[
          { value: 'buy', label: t('trade.buy') },
          { value: 'sell', label: t('trade.sell') },
        ]}
      />
      <KindRow form={form} onKind={choose} hasOptions={hasOptions} onOptions={setHasOptions} />
      <Suspense fallback={null}>
        <KindSheet
          isOpen={isChoosing}
          kind={form.kind}
          kinds={orderKinds}
          detail={(kind) => t(`orders.kindHint.${kind}`)}
          onClose={() => setIsChoosing(false)}
          onChoose={(kind) => act({ type: 'kind', kind })}
          desk={ticket.margin === undefined ? { market, price: context.last } : undefined}
        />
      </Suspense>

      <PriceFields ticket={ticket} error={error} />

      <AmountFields
        {...{ form, market, act }}
        quoteScale={context.quoteScale}
        label={form.unit === 'base' ? t('trade.quantity') : t('trade.total')}
        percent={ticket.summary.percent}
        error={error('amount')}
        hasUnits={form.kind !== 'oco'}
        isVisitor={ticket.isVisitor}
      />
      {form.kind === 'limit' && hasOptions && <Options ticket={ticket} error={error} />}
      <Preview ticket={ticket} isShort={isWide} />
      {ticket.margin?.inTicket(ticket)}

      <Action ticket={ticket} action={action} />
      <Suspense fallback={null}>
        {isWide && <SentNow ticket={ticket} />}
        <ConfirmOrder ticket={ticket} action={action} />
        {ticket.over !== undefined && <TurnoverSheet rests={ticket.over.rests} onClose={ticket.closeOver} />}
      </Suspense>
    </section>
  )
}

/** The button that places the order. */
function Action({ ticket, action }: { readonly ticket: TicketState; readonly action: string }) {
  const { t } = useTranslation()
  const isStale = useIsStale()
  const { market } = ticket.context
  if (ticket.isVisitor) {
    return (
      <ActionBar>
        <ButtonLink to={`/login?next=${ticket.margin?.path ?? '/spot'}?symbol=${market.symbol}`} isWide>
          {t('trade.login')}
        </ButtonLink>
      </ActionBar>
    )
  }
  const isBlocked = isStale || !market.isTrading
  return (
    <>
      {isBlocked && (
        <p role="status" className="text-11 text-fg3">
          {market.isTrading ? t('trade.waitsForPrices') : t('refusals.MARKET_HALTED')}
        </p>
      )}
      <ActionBar>
        <Funded wanted={ticket.wanted} isEmpty={ticket.isEmpty}>
          <Button
            variant={ticket.form.side === 'buy' ? 'up' : 'down'}
            isWide
            disabled={isBlocked}
            isBusy={ticket.isSending && !ticket.isConfirming}
            onClick={(event) => {
              ticket.press()
              focusFirstWrong(event.currentTarget.closest('section'))
            }}
          >
            {action}
          </Button>
        </Funded>
      </ActionBar>
    </>
  )
}

type PartProps = { readonly ticket: TicketState; readonly error: (field: Field) => string | undefined }

/** The price fields of the chosen kind. A market order shows that it has none. */
function PriceFields({ ticket, error }: PartProps) {
  const { t } = useTranslation()
  const { form, context, act } = ticket
  const { market, bid, ask } = context
  const setPrice = useCallback((text: string) => act({ type: 'set', field: 'price', text }), [act])
  const hasStop = form.kind === 'stop-limit' || form.kind === 'stop-market' || form.kind === 'oco'
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
      {!isPricedAtMarket(form.kind) && (
        <PriceField
          label={form.kind === 'oco' ? t('trade.limitPrice') : t('trade.price')}
          value={form.price}
          error={error('price')}
          onChange={setPrice}
          onTake={ticket.take}
          {...{ market, bid, ask }}
        />
      )}
      {hasStop && (
        <NumberField
          label={`${t('trade.trigger')} (${market.quote})`}
          value={form.stop}
          step={market.tick}
          onChange={(text) => act({ type: 'set', field: 'stop', text })}
          error={error('stop')}
        />
      )}
      {form.kind === 'trailing' && (
        <NumberField
          label={t('trade.trail')}
          value={form.trail}
          step="0.1"
          places={2}
          onChange={(text) => act({ type: 'set', field: 'trail', text })}
          error={error('trail')}
        />
      )}
    </>
  )
}

/** Time in force, post-only and visible quantity of a limit order. */
function Options({ ticket, error }: PartProps) {
  const { t } = useTranslation()
  const { form, context, act } = ticket
  return (
    <LimitOptions form={form} act={act}>
      {form.timeInForce === 'GTC' && (
        <NumberField
          label={`${t('trade.shown')} (${context.market.base})`}
          value={form.display}
          step={context.market.lot}
          onChange={(text) => act({ type: 'set', field: 'display', text })}
          error={error('display')}
        />
      )}
    </LimitOptions>
  )
}

/** Available balance, value and fee of the order, computed with the core's own functions. `isShort`: the rest is below the button. */
function Preview({ ticket, isShort }: { readonly ticket: TicketState; readonly isShort: boolean }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { form, context, summary } = ticket
  const available = form.side === 'buy' ? context.availableQuote : context.availableBase
  const isMarket = isPricedAtMarket(form.kind)
  // What such an order pays is told with the part that the book fills.
  const isImmediate = form.kind === 'limit' && form.timeInForce === 'IOC'
  const isTaker = isMarket || summary.takes
  const fee = isTaker ? summary.takerFee : summary.makerFee
  return (
    <div className="flex flex-col gap-1">
      <dl className={ticketRows}>
        {!ticket.isVisitor && (
          <div>
            <dt>{ticket.margin?.available ?? t('trade.available')}</dt>
            <dd>{available === undefined ? '–' : <Amount value={available} asset={summary.costAsset} />}</dd>
          </div>
        )}
        {form.kind !== 'market' && !isShort && (
          <>
            <div>
              <dt>{isMarket ? t('trade.estimated') : t('trade.value')}</dt>
              <dd className="tn">
                {summary.value === undefined ? '–' : `${format.sum(summary.value, context.market.quote)} ${context.market.quote}`}
              </dd>
            </div>
            {!isImmediate && (
              <div>
                <dt>
                  <Term id="maker">{isTaker ? t('trade.fee') : t('trade.feeMaker')}</Term>
                </dt>
                <dd className="tn">{fee === undefined ? '–' : `${format.sum(fee, summary.feeAsset)} ${summary.feeAsset}`}</dd>
              </div>
            )}
          </>
        )}
      </dl>
      <Suspense fallback={form.kind === 'market' ? <div className="h-20" /> : null}>
        {(form.kind === 'market' || form.kind === 'limit') && <EstimateRows ticket={ticket} />}
      </Suspense>
    </div>
  )
}
