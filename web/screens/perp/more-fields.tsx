import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { hasTrigger } from './form.ts'
import type { Plan } from './summary.ts'
import type { PartProps } from './ticket.tsx'
import type { TicketState } from './use-ticket.ts'

/** The price that triggers a conditional order. */
function TriggerBy({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  return (
    <Segmented
      size="small"
      label={t('positions.triggerBy')}
      value={ticket.form.triggerBy}
      onChange={(triggerBy) => ticket.act({ type: 'triggerBy', triggerBy })}
      choices={[
        { value: 'mark', label: t('perp.mark') },
        { value: 'last', label: t('perp.last') },
      ]}
    />
  )
}

/** The trigger of a conditional order: a price, or a distance by which the price turns. */
export function TriggerFields({ ticket, error }: PartProps) {
  const { t } = useTranslation()
  const { form, context, act } = ticket
  const { market } = context
  return (
    <>
      {form.kind === 'trailing' ? (
        <NumberField
          label={t('trade.trail')}
          value={form.trail}
          step="0.1"
          places={2}
          onChange={(text) => act({ type: 'set', field: 'trail', text })}
          error={error('trail')}
        />
      ) : (
        <NumberField
          label={`${t('trade.trigger')} (${market.quote})`}
          value={form.stop}
          step={market.tick}
          onChange={(text) => act({ type: 'set', field: 'stop', text })}
          error={error('stop')}
        />
      )}
      <TriggerBy ticket={ticket} />
    </>
  )
}

/** Fields for take profit and stop loss of the position that the order opens. */
export function ExitFields({ ticket, error }: PartProps) {
  const { t } = useTranslation()
  const { form, context, act } = ticket
  const { market } = context
  return (
    <>
      <NumberField
        label={`${t('perp.takeProfit')} (${market.quote})`}
        value={form.takeProfit}
        step={market.tick}
        onChange={(text) => act({ type: 'set', field: 'takeProfit', text })}
        error={error('takeProfit')}
      />
      <NumberField
        label={`${t('perp.stopLoss')} (${market.quote})`}
        value={form.stopLoss}
        step={market.tick}
        onChange={(text) => act({ type: 'set', field: 'stopLoss', text })}
        error={error('stopLoss')}
      />
      {!hasTrigger(form.kind) && <TriggerBy ticket={ticket} />}
      {form.kind !== 'market' && <p className="text-11 text-fg3">{t('positions.exitsWhenFilled')}</p>}
    </>
  )
}

/** The room that a cap on open interest leaves, where that cap limits the largest size. */
export function Caps({ buy, sell, currency }: { readonly buy: Plan; readonly sell: Plan; readonly currency: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const left = (plan: Plan): string => (plan.cap?.by === 'user' ? format.sum(plan.cap.left, currency) : '–')
  const market = [buy, sell].find((plan) => plan.cap?.by === 'market')?.cap
  const isOwn = buy.cap?.by === 'user' || sell.cap?.by === 'user'
  return (
    <>
      {market !== undefined && (
        <div>
          <dt>{t('perp.cap.market')}</dt>
          <dd className="tn">{`${format.sum(market.left, currency)} ${currency}`}</dd>
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
