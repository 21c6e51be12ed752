import type { Units } from '@candor/core/money/brand.ts'
import { formatTicks, parseLots } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { initialMargin } from '@candor/core/risk/perp.ts'
import type { WirePerpAccount } from '@candor/core/protocol/wire/perp.ts'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { Minus, Plus } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button, ButtonLink, IconButton } from '../../parts/ui/button.tsx'
import { CertifyGate, useIsCertified } from '../../parts/account/certify-gate.tsx'
import { putAccount } from '../../parts/perp/account.ts'
import { perp } from '../../parts/perp/api.ts'
import { type Held, liquidationAt } from '../../parts/perp/risk.ts'
import { CeilingLine } from '../../parts/desk/ceiling.tsx'
import { ChoiceRow } from '../../parts/ui/row.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { type Context, emptyForm } from './form.ts'
import { ceiling, maxLots, userInterestMax } from './sizing.ts'
import { Terms } from '../../parts/help/terms-line.tsx'

type SheetProps = { readonly context: Context; readonly onClose: () => void }

/** Sends a change of settings and stores the account that it returns. */
function useSetting(change: () => Promise<WirePerpAccount>, onClose: () => void): UseMutationResult<WirePerpAccount, Error, void> {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: change,
    onSuccess: (account) => {
      putAccount(account)
      void queries.invalidateQueries({ queryKey: ['own'] })
      tick(12)
      toast({ text: t('positions.settingSaved'), tone: 'good' })
      onClose()
    },
  })
}

/** The button that sends a setting. Visitors log in first, and unverified users verify first. */
function Save({
  setting,
  context,
  isDisabled,
}: {
  readonly setting: UseMutationResult<WirePerpAccount, Error, void>
  readonly context: Context
  readonly isDisabled: boolean
}) {
  const { t } = useTranslation()
  const isCertified = useIsCertified()
  const [isGated, setIsGated] = useState(false)
  const run = (): void => setting.mutate()
  if (useMe() === undefined) {
    return (
      <ButtonLink to={`/login?next=/contract?symbol=${context.market.symbol}`} isWide>
        {t('trade.login')}
      </ButtonLink>
    )
  }
  return (
    <>
      <Button isWide disabled={isDisabled} isBusy={setting.isPending} onClick={() => (isCertified ? run() : setIsGated(true))}>
        {t('trade.confirm')}
      </Button>
      <CertifyGate isOpen={isGated} onClose={() => setIsGated(false)} onCertified={run} />
    </>
  )
}

/** Leverage from 1 to the market's maximum, with the largest position and the liquidation prices that result. */
export function LeverageSheet({ context, onClose }: SheetProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const { market, quoteScale } = context
  const [leverage, setLeverage] = useState(context.leverage)
  const most = context.leverageMax
  const setting = useSetting(() => perp.setLeverage({ symbol: market.symbol, leverage }), onClose)
  const preview = previewOf({ ...context, leverage })
  const money = (units: number): string => `${format.number(formatUnits(units, quoteScale), 0, 0)} ${market.quote}`
  const choose = (next: number): void => {
    if (next !== leverage) tick(6)
    setLeverage(Math.max(1, Math.min(most, next)))
  }
  const price = (ticks: number | undefined): string =>
    ticks === undefined ? t('positions.never') : format.exact(formatTicks(ticks, market.tick))
  const away = (ticks: number | undefined): string =>
    ticks === undefined || context.markTicks === undefined
      ? ''
      : ` (${format.percent((Math.abs(context.markTicks - ticks) * 100) / context.markTicks, 1)})`
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('perp.leverage')}
      footer={<Save setting={setting} context={context} isDisabled={leverage === context.leverage} />}
    >
      <div className="flex flex-col gap-3">
        <LeverageSlider leverage={leverage} most={most} onChoose={choose} />
        <CeilingLine ceiling={context.ceiling} most={market.perp?.leverageMax ?? 1} />
        <dl>
          <SummaryRow label={t('positions.ceiling')}>{money(preview.ceiling)}</SummaryRow>
          {context.available !== undefined && (
            <SummaryRow
              label={t('positions.youCanOpen')}
            >{`${format.number(preview.quantity, 0, market.quantityDigits)} ${market.base}`}</SummaryRow>
          )}
          <SummaryRow label={t('positions.longEnds')}>
            {price(preview.long)}
            <span className="text-down">{away(preview.long)}</span>
          </SummaryRow>
          <SummaryRow label={t('positions.shortEnds')}>
            {price(preview.short)}
            <span className="text-down">{away(preview.short)}</span>
          </SummaryRow>
        </dl>
        {[context.long, context.short].map(
          (held) => held && <PositionAt key={held.lots} held={held} leverage={leverage} context={context} />,
        )}
        <p className="rounded-control bg-s2 p-3 text-12 text-fg2">
          {leverage > 5 ? t('positions.leverageHigh') : t('positions.leverageHint')}
        </p>
        <Terms ids={['leverage', 'initial', 'maintenance', 'liquidation']} />
        <FormError error={setting.error} />
      </div>
    </Sheet>
  )
}

function LeverageSlider({
  leverage,
  most,
  onChoose,
}: {
  readonly leverage: number
  readonly most: number
  readonly onChoose: (leverage: number) => void
}) {
  const { t } = useTranslation()
  return (
    <>
      <div className="flex items-center justify-between rounded-control bg-s2">
        <IconButton label={t('fields.less', { label: t('perp.leverage') })} disabled={leverage <= 1} onClick={() => onChoose(leverage - 1)}>
          <Minus size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <output className="tn text-28 font-semibold">{leverage}×</output>
        <IconButton
          label={t('fields.more', { label: t('perp.leverage') })}
          disabled={leverage >= most}
          onClick={() => onChoose(leverage + 1)}
        >
          <Plus size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
      <div>
        <input
          type="range"
          min={1}
          max={most}
          step={1}
          value={leverage}
          aria-label={t('perp.leverage')}
          aria-valuetext={`${leverage}×`}
          onChange={(event) => onChoose(Number(event.target.value))}
          className="slider block"
          style={{ '--value': most === 1 ? 100 : ((leverage - 1) * 100) / (most - 1) } as CSSProperties}
        />
        <div className="-mx-1 flex justify-between">
          {marksOf(most).map((mark) => (
            <button
              key={mark}
              type="button"
              tabIndex={-1}
              onClick={() => onChoose(mark)}
              className={`tn min-h-6 min-w-6 px-1 text-11 ${mark === leverage ? 'font-semibold text-fg' : 'text-fg3'}`}
            >
              {mark}×
            </button>
          ))}
        </div>
      </div>
    </>
  )
}

/** Liquidation price of an open position at another leverage. Its margin beyond the initial margin stays with it. */
function PositionAt({ held, leverage, context }: { readonly held: Held; readonly leverage: number; readonly context: Context }) {
  const { t } = useTranslation()
  const format = useFormats()
  const before = initialMargin(held.cost as Units, held.leverage)
  const margin = Math.max(0, held.margin + initialMargin(held.cost as Units, leverage) - before)
  const at = (behind: number): string => {
    const ticks = liquidationAt(held.lots, held.cost, held.mode === 'cross' ? context.crossBase : behind, context)
    return ticks === undefined ? t('positions.never') : format.exact(formatTicks(ticks, context.market.tick))
  }
  return (
    <dl>
      <SummaryRow label={held.lots > 0 ? t('positions.yourLongEnds') : t('positions.yourShortEnds')}>
        {at(held.margin)}
        {leverage !== held.leverage && ` → ${at(margin)}`}
      </SummaryRow>
    </dl>
  )
}

function marksOf(most: number): readonly number[] {
  return most <= 5
    ? Array.from({ length: most }, (_, at) => at + 1)
    : [1, Math.round(most / 4), Math.round(most / 2), Math.round((most * 3) / 4), most]
}

/** The largest position at a leverage, and its liquidation prices if it is opened at the mark price. */
function previewOf(context: Context): {
  readonly ceiling: number
  readonly quantity: string
  readonly long: number | undefined
  readonly short: number | undefined
} {
  const { market, perTickLot, markTicks, leverage, mode, crossBase } = context
  const most = Math.min(ceiling(context), userInterestMax(context))
  const form = { ...emptyForm(), kind: 'market' as const }
  const free: Context = { ...context, long: undefined, short: undefined }
  const open = maxLots(form, 'buy', free)
  const quantity = formatTicks(open, market.lot)
  if (markTicks === undefined) return { ceiling: most, quantity, long: undefined, short: undefined }
  const lots = open > 0 ? open : (parseLots(market.quantityMin, market.lot) ?? 1) * 1_000
  const value = markTicks * lots * perTickLot
  const behind = mode === 'cross' && open > 0 ? crossBase : initialMargin(value as Units, leverage)
  return { ceiling: most, quantity, long: liquidationAt(lots, value, behind, context), short: liquidationAt(-lots, value, behind, context) }
}

/** The choice of isolated or cross margin, with the possible loss of each. */
export function ModeSheet({ context, onClose }: SheetProps) {
  const { t } = useTranslation()
  const [mode, setMode] = useState(context.mode)
  const setting = useSetting(() => perp.setMarginMode({ symbol: context.market.symbol, mode }), onClose)
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('perp.marginMode')}
      footer={<Save setting={setting} context={context} isDisabled={mode === context.mode} />}
    >
      <div role="radiogroup" aria-label={t('perp.marginMode')} className="-mx-2">
        {(['isolated', 'cross'] as const).map((one) => (
          <ChoiceRow
            key={one}
            isOn={one === mode}
            title={t(`perp.mode.${one}`)}
            detail={t(`positions.modeHint.${one}`)}
            onClick={() => setMode(one)}
          />
        ))}
      </div>
      <Terms ids={['cross', 'isolated', 'liquidation']} />
      <p className="py-3 text-12 text-fg2">{t('positions.modeChange', { pair: `${context.market.base}/${context.market.quote}` })}</p>
      <FormError error={setting.error} />
    </Sheet>
  )
}

/** The choice of one-way or hedge mode, for all perp markets. */
export function HedgeSheet({ context, onClose }: SheetProps) {
  const { t } = useTranslation()
  const [isHedge, setIsHedge] = useState(context.isHedge)
  const setting = useSetting(() => perp.setHedgeMode({ hedge: isHedge }), onClose)
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('perp.positionMode')}
      footer={<Save setting={setting} context={context} isDisabled={isHedge === context.isHedge} />}
    >
      <div role="radiogroup" aria-label={t('perp.positionMode')} className="-mx-2">
        <ChoiceRow isOn={!isHedge} title={t('perp.oneWay')} detail={t('positions.oneWayHint')} onClick={() => setIsHedge(false)} />
        <ChoiceRow isOn={isHedge} title={t('perp.hedge')} detail={t('positions.hedgeHint')} onClick={() => setIsHedge(true)} />
      </div>
      <Terms ids={['hedge', 'long']} />
      <p className="py-3 text-12 text-fg2">{t('positions.hedgeChange')}</p>
      <FormError error={setting.error} />
    </Sheet>
  )
}
