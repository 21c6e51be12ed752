import { useTranslation } from '../../app/translate.ts'
import { Check } from '../../parts/field.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { Segmented } from '../../parts/tabs.tsx'
import { hasTrigger } from './form.ts'
import type { PartProps } from './ticket.tsx'
import type { TicketState } from './use-ticket.ts'

/** Which price wakes a conditional order. */
function TriggerBy({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  return (
    <Segmented
      size="small"
      label={t('perp.triggerBy')}
      value={ticket.form.triggerBy}
      onChange={(triggerBy) => ticket.act({ type: 'triggerBy', triggerBy })}
      choices={[
        { value: 'mark', label: t('perp.mark') },
        { value: 'last', label: t('perp.last') },
      ]}
    />
  )
}

/** When a conditional order wakes: at a price, or when the price turns by a distance. */
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

/** Take profit and stop loss of the position that the order opens. */
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
      {form.kind !== 'market' && <p className="text-11 text-fg3">{t('perp.exitsWhenFilled')}</p>}
    </>
  )
}

/** How long a limit order stays, and whether it may take. */
export function LimitFields({ id, ticket }: { readonly id: string; readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const { form, act } = ticket
  return (
    <div id={id} className="flex flex-col gap-2">
      <Segmented
        size="small"
        label={t('trade.timeInForce')}
        value={form.timeInForce}
        onChange={(timeInForce) => act({ type: 'timeInForce', timeInForce })}
        choices={[
          { value: 'GTC', label: 'GTC' },
          { value: 'IOC', label: 'IOC' },
          { value: 'FOK', label: 'FOK' },
        ]}
      />
      <p className="text-11 text-fg3">{t(`orders.timeInForce.${form.timeInForce}`)}</p>
      <Check isOn={form.isPostOnly} onChange={(isPostOnly) => act({ type: 'postOnly', isPostOnly })}>
        {t('trade.postOnly')}
      </Check>
    </div>
  )
}
