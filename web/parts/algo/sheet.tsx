import type { WirePlaceAlgo } from '@candor/core/protocol/wire/algo/algo.ts'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Check } from '../fields/field.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmSheet, Sheet, SummaryRow } from '../ui/sheet.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.tsx'
import { algos } from './api.ts'
import type { AlgoDesk } from './kind-sheet.tsx'
import type { AlgoKind } from './names.ts'
import { durations, type Plan, type PlanField, type PlanForm, planOf, type Preview, usualParts } from './plan.ts'

type Props = AlgoDesk & { readonly kind: AlgoKind; readonly onClose: () => void }

function firstForm(kind: AlgoKind): PlanForm {
  const seconds = 3_600
  const empty = { quantity: '', worst: '', from: '', to: '' }
  return {
    kind,
    side: 'buy',
    ...empty,
    parts: kind === 'twap' ? String(usualParts(seconds)) : '5',
    seconds,
    shape: 'flat',
    isReduceOnly: false,
  }
}

/** A TWAP or scaled order: its fields, its preview, and the question whether to place it. */
export function AlgoSheet({ kind, market, price, isHedge, onClose }: Props) {
  const { t } = useTranslation()
  const me = useMe()
  const [form, setForm] = useState(() => firstForm(kind))
  const [hasTried, setHasTried] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const plan = planOf(form, market, price, positionOf(form, market.kind === 'perp', isHedge))
  const sending = useSendOnce({
    request: (clientId, body: Omit<WirePlaceAlgo, 'clientId'>) => ({ ...body, clientId }),
    call: algos.place,
    onAnswer() {
      toast({ text: t('algo.placed'), tone: 'good' })
      onClose()
    },
  })
  const change = (changed: Partial<PlanForm>): void => setForm((before) => ({ ...before, ...changed }))
  const error = (field: PlanField): string | undefined =>
    hasTried && 'field' in plan && plan.field === field ? t(`refusals.${plan.refusal}`) : undefined
  const action = t(form.side === 'buy' ? 'trade.buyCoin' : 'trade.sellCoin', { coin: market.base })
  const press = (): void => {
    setHasTried(true)
    if ('body' in plan) setIsConfirming(true)
  }
  return (
    <>
      <Sheet
        isOpen
        onClose={onClose}
        title={`${t(`algo.title.${kind}`)} · ${market.base}/${market.quote}`}
        footer={
          me === undefined ? (
            <ButtonLink to={`/login?next=${market.kind === 'perp' ? '/contract' : '/spot'}?symbol=${market.symbol}`} isWide>
              {t('trade.login')}
            </ButtonLink>
          ) : (
            <Button variant={form.side === 'buy' ? 'up' : 'down'} isWide disabled={!market.isTrading} onClick={press}>
              {action}
            </Button>
          )
        }
      >
        <div className="flex flex-col gap-2.5">
          <SideChoice side={form.side} onChange={(side) => change({ side })} />
          <NumberField
            label={`${t('trade.quantity')} (${market.base})`}
            value={form.quantity}
            step={market.lot}
            onChange={(quantity) => change({ quantity })}
            error={error('quantity')}
          />
          {kind === 'twap' ? <TwapFields {...{ form, change, error, market }} /> : <ScaledFields {...{ form, change, error, market }} />}
          {market.kind === 'perp' && (
            <Check isOn={form.isReduceOnly} onChange={(isReduceOnly) => change({ isReduceOnly })}>
              {t('algo.reduceOnly')}
            </Check>
          )}
          {'preview' in plan && <PreviewRows preview={plan.preview} market={market} />}
          <p className="rounded-control bg-s2 p-3 text-12 text-fg2">{t(`algo.note.${kind}`)}</p>
        </div>
      </Sheet>
      <ConfirmPlan
        {...{ plan, market, kind, isConfirming, sending }}
        title={`${t(`algo.title.${kind}`)}: ${action}`}
        confirm={action}
        onClose={() => {
          sending.clear()
          setIsConfirming(false)
        }}
      />
    </>
  )
}

function SideChoice({ side, onChange }: { readonly side: PlanForm['side']; readonly onChange: (side: PlanForm['side']) => void }) {
  const { t } = useTranslation()
  return (
    <Segmented
      label={t('trade.side')}
      value={side}
      onChange={onChange}
      tone={(one) => (one === 'buy' ? 'up' : 'down')}
      choices={[
        { value: 'buy', label: t('trade.buy') },
        { value: 'sell', label: t('trade.sell') },
      ]}
    />
  )
}

/** In hedge mode an order that only reduces is for the opposite position. */
function positionOf({ side, isReduceOnly }: PlanForm, isPerp: boolean, isHedge: boolean | undefined) {
  if (!isPerp) return undefined
  if (isHedge !== true) return 'both'
  return (side === 'buy') !== isReduceOnly ? 'long' : 'short'
}

type FieldsProps = {
  readonly form: PlanForm
  readonly market: Props['market']
  readonly change: (changed: Partial<PlanForm>) => void
  readonly error: (field: PlanField) => string | undefined
}

function TwapFields({ form, market, change, error }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <div className="flex flex-col gap-1">
        <span className="text-12 text-fg2">{t('algo.duration')}</span>
        <Segmented
          size="small"
          label={t('algo.duration')}
          value={String(form.seconds)}
          onChange={(seconds) => change({ seconds: Number(seconds), parts: String(usualParts(Number(seconds))) })}
          choices={durations.map((seconds) => ({
            value: String(seconds),
            label: seconds < 3_600 ? t('algo.minutes', { n: seconds / 60 }) : t('algo.hours', { n: seconds / 3_600 }),
          }))}
        />
      </div>
      <NumberField label={t('algo.parts')} value={form.parts} step="1" onChange={(parts) => change({ parts })} error={error('parts')} />
      <NumberField
        label={`${t(`algo.worst.${form.side}`)} (${market.quote})`}
        value={form.worst}
        step={market.tick}
        onChange={(worst) => change({ worst })}
        error={error('worst')}
      />
    </>
  )
}

function ScaledFields({ form, market, change, error }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <NumberField
        label={`${t('algo.from')} (${market.quote})`}
        value={form.from}
        step={market.tick}
        onChange={(from) => change({ from })}
        error={error('from')}
      />
      <NumberField
        label={`${t('algo.to')} (${market.quote})`}
        value={form.to}
        step={market.tick}
        onChange={(to) => change({ to })}
        error={error('to')}
      />
      <NumberField label={t('algo.orders')} value={form.parts} step="1" onChange={(parts) => change({ parts })} error={error('parts')} />
      <div className="flex flex-col gap-1">
        <span className="text-12 text-fg2">{t('algo.shape')}</span>
        <Segmented
          size="small"
          label={t('algo.shape')}
          value={form.shape}
          onChange={(shape) => change({ shape })}
          choices={(['flat', 'rising', 'falling'] as const).map((value) => ({ value, label: t(`algo.shapes.${value}`) }))}
        />
      </div>
    </>
  )
}

function PreviewRows({ preview, market }: { readonly preview: Preview; readonly market: Props['market'] }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (preview.kind === 'twap') {
    return (
      <dl>
        <SummaryRow label={t('algo.each')}>{`${format.exact(preview.each)} ${market.base}`}</SummaryRow>
        <SummaryRow label={t('algo.every')}>{format.span(preview.everySeconds * 1000)}</SummaryRow>
        <SummaryRow label={t('algo.endsAt')}>{format.dateTime(Date.now() + preview.seconds * 1000)}</SummaryRow>
      </dl>
    )
  }
  const [first, last] = [preview.orders[0]!, preview.orders.at(-1)!]
  return (
    <dl>
      <SummaryRow label={t('algo.first')}>{`${format.exact(first.quantity)} × ${format.exact(first.price)}`}</SummaryRow>
      <SummaryRow label={t('algo.last')}>{`${format.exact(last.quantity)} × ${format.exact(last.price)}`}</SummaryRow>
      <SummaryRow label={t('algo.average')}>{`${format.exact(preview.average)} ${market.quote}`}</SummaryRow>
      <SummaryRow label={t('algo.total')}>{`${format.sum(preview.value, market.quote)} ${market.quote}`}</SummaryRow>
    </dl>
  )
}

function ConfirmPlan({
  plan,
  market,
  kind,
  isConfirming,
  sending,
  title,
  confirm,
  onClose,
}: {
  readonly plan: Plan
  readonly market: Props['market']
  readonly kind: AlgoKind
  readonly isConfirming: boolean
  readonly sending: {
    readonly send: (body: Omit<WirePlaceAlgo, 'clientId'>) => void
    readonly isSending: boolean
    readonly error: Error | null
  }
  readonly title: string
  readonly confirm: string
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  if (!('body' in plan)) return null
  const { body, preview } = plan
  return (
    <ConfirmSheet
      isOpen={isConfirming}
      onClose={onClose}
      onConfirm={() => sending.send(body)}
      title={title}
      confirm={confirm}
      tone={body.side === 'buy' ? 'up' : 'down'}
      isBusy={sending.isSending}
      error={sending.error}
      note={t(`algo.note.${kind}`)}
    >
      <SummaryRow label={t('trade.quantity')}>{`${format.field(body.quantity)} ${market.base}`}</SummaryRow>
      <SummaryRow label={kind === 'twap' ? t('algo.parts') : t('algo.orders')}>{String(body.parts)}</SummaryRow>
      {body.plan.kind === 'twap' && body.plan.worst !== undefined && (
        <SummaryRow label={t(`algo.worst.${body.side}`)}>{`${format.field(body.plan.worst)} ${market.quote}`}</SummaryRow>
      )}
      <PreviewRows preview={preview} market={market} />
    </ConfirmSheet>
  )
}
