import type { Direction } from '@candor/core/protocol/command/option.ts'
import { ArrowLeftRight, ChevronDown } from 'lucide-react'
import { type ComponentType, Suspense, useId, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { CertifyGate } from '../../parts/account/certify-gate.tsx'
import { Amount, Triangle } from '../../parts/ui/figure.tsx'
import { Term } from '../../parts/help/term.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { Durations } from './durations.tsx'
import { guardsOffered, isCapped, stakeChips, stakesLeft, wrong } from './form.ts'
import { Funded } from '../../parts/transfer/funded.tsx'
import { TransferSheet } from '../../parts/transfer/lazy-sheet.ts'
import { AdmitSheet, ConfirmOption, StakeSheet } from './later.ts'
import { StakesLeft } from './stakes-left.tsx'
import type { Desk } from './use-desk.ts'

/** A field for the stake. `describedBy`: the element that says what is wrong with it. */
export type StakeFieldProps = { readonly desk: Desk; readonly describedBy: string | undefined }

type TicketProps = {
  readonly desk: Desk
  /** In place of the button that opens a keypad. */
  readonly Field?: ComponentType<StakeFieldProps>
}

/** The ticket: duration, stake, possible profit and loss, and two buttons. */
export function Ticket({ desk, Field = StakeButton }: TicketProps) {
  const { t } = useTranslation()
  const { context, form } = desk
  const { terms } = context
  return (
    <section aria-label={t('option.ticket')} className="flex flex-col gap-3 px-4 pt-3">
      <Durations rates={terms.rates} value={form.seconds} onChange={(seconds) => desk.act({ type: 'seconds', seconds })} />
      <Stake desk={desk} Field={Field} />
      <Outcome desk={desk} />
      <Guard desk={desk} />
      <Actions desk={desk} />
      <Suspense fallback={null}>{desk.confirming !== undefined && <ConfirmOption desk={desk} />}</Suspense>
    </section>
  )
}

/** The stake, typed or by a tap on a round sum, with the available balance. */
function Stake({ desk, Field }: Required<TicketProps>) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isMoving, setIsMoving] = useState(false)
  const id = useId()
  const { context, market } = desk
  const range = `${format.number(context.terms.stakeMin)} – ${format.number(context.terms.stakeMax)}`
  return (
    <div className="flex flex-col gap-2">
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-2 text-12">
        <span className="text-fg2">
          <Term id="stake">{t('option.stake')}</Term> <span className="tn text-fg3">{range}</span>
        </span>
        {desk.gate !== 'visitor' && (
          <span className="flex flex-wrap items-center gap-x-2 text-fg2">
            <span>
              {t('option.available')}{' '}
              {context.available === undefined ? '–' : <Amount value={context.available} asset={market.quote} className="text-fg" />}
            </span>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => setIsMoving(true)}
              className="-my-1 inline-flex min-h-8 items-center gap-1 font-medium text-brand"
            >
              <ArrowLeftRight size={14} strokeWidth={1.75} aria-hidden />
              {t('option.transfer')}
            </button>
          </span>
        )}
      </div>
      <Field desk={desk} describedBy={desk.error === undefined ? undefined : `${id}-below`} />
      <StakesLeft desk={desk} />
      <Chips desk={desk} />
      {desk.error !== undefined && desk.error !== 'GUARD_LIMIT' && (
        <p id={`${id}-below`} role="alert" className="text-12 text-danger">
          {t(`refusals.${desk.error}`)}
        </p>
      )}
      <Suspense fallback={null}>
        {isMoving && (
          <TransferSheet
            start={{ from: 'spot', to: 'option', asset: market.quote, symbol: market.symbol }}
            onClose={() => setIsMoving(false)}
          />
        )}
      </Suspense>
    </div>
  )
}

/** The stake as a button that opens the keypad. */
function StakeButton({ desk, describedBy }: StakeFieldProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isOpen, setIsOpen] = useState(false)
  const { stake } = desk.form
  const shown = stake === '' ? '0' : format.number(stake)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`${t('option.stake')}: ${shown} ${desk.market.quote}`}
        aria-invalid={desk.error === undefined ? undefined : true}
        aria-describedby={describedBy}
        onClick={() => setIsOpen(true)}
        className={`press flex min-h-13 items-center justify-between rounded-control border bg-s2 px-4 ${desk.error === undefined ? 'border-transparent' : 'border-danger'}`}
      >
        <span className={`tn text-22 font-semibold ${stake === '' ? 'text-fg3' : ''}`}>{shown}</span>{' '}
        <span className="text-15 font-medium text-fg2">{desk.market.quote}</span>
      </button>
      <Suspense fallback={null}>{isOpen && <StakeSheet desk={desk} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}

/** Suggested stakes; those above the caps are disabled. */
function Chips({ desk: { context, form, act } }: { readonly desk: Desk }) {
  const format = useFormats()
  return (
    <div className="no-scrollbar -mx-4 flex gap-2 overflow-x-auto px-4">
      {stakeChips(context.terms).map((sum) => (
        <button
          key={sum}
          type="button"
          disabled={isCapped(wrong({ ...form, guard: '', stake: sum }, context))}
          aria-pressed={form.stake === sum}
          onClick={() => act({ type: 'stake', text: sum })}
          className={`press tn min-h-8 min-w-13 flex-1 rounded-chip px-2 text-13 font-medium disabled:opacity-45 ${form.stake === sum ? 'bg-brandtint text-brand' : 'bg-s2 text-fg2'}`}
        >
          {format.number(sum)}
        </button>
      ))}
    </div>
  )
}

/** The possible profit and loss, the win rate that breaks even, and the exchange's edge. */
function Outcome({ desk }: { readonly desk: Desk }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { summary, market } = desk
  const sum = (value: string | undefined, sign: '+' | '−'): string =>
    value === undefined ? '–' : `${sign}${format.sum(value, market.quote)} ${market.quote}`
  return (
    <div className="flex flex-col gap-2 rounded-card bg-s1 p-3">
      <dl className="grid grid-cols-2 gap-3">
        <div>
          <dt className="text-12 text-fg2">{t('option.ifWin')}</dt>
          <dd className="tn text-17 font-semibold text-up">{sum(summary.profit, '+')}</dd>
        </div>
        <div className="text-end">
          <dt className="text-12 text-fg2">{t('option.ifLose')}</dt>
          <dd className="tn text-17 font-semibold text-down">{sum(summary.loss, '−')}</dd>
        </div>
      </dl>
      {summary.rate !== undefined && (
        <p className="text-12 text-fg2">
          <span className="block">
            <Term id="breakEven">{t('option.breakEven', { share: format.percent(summary.rate.breakEven, 1) })}</Term>
          </span>
          <span className="block">
            {Number(desk.context.terms.fee) === 0
              ? t('option.feeNone')
              : `${t('option.fee')} ${format.sum(desk.context.terms.fee, market.quote)} ${market.quote}`}
          </span>
        </p>
      )}
    </div>
  )
}

/** Price protection: the allowed distance of the opening price from the current index. */
function Guard({ desk }: { readonly desk: Desk }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isAsked, setIsAsked] = useState(false)
  const id = useId()
  const { guard } = desk.form
  const { me } = desk.context
  const isSpent = me?.isGuardSpent === true
  const isOpen = isAsked || isSpent
  const offered = guardsOffered(desk.form, me)
  return (
    <div className="flex flex-col gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsAsked(!isAsked)}
        className="flex min-h-6 items-center gap-1 text-start text-12 text-fg2"
      >
        {t('option.guard')}{' '}
        <span className="text-fg">{guard === '' ? t('option.guardOff') : t('option.guardValue', { percent: format.percent(guard) })}</span>
        {!isSpent && <ChevronDown size={14} strokeWidth={1.75} aria-hidden className={isOpen ? 'rotate-180' : ''} />}
      </button>
      {isOpen && (
        <div id={id} className="flex flex-col gap-2">
          {offered.length > 1 && (
            <Segmented
              size="small"
              label={t('option.guard')}
              value={guard}
              onChange={(next) => desk.act({ type: 'guard', guard: next })}
              choices={offered.map((value) => ({ value, label: value === '' ? t('option.guardOff') : `±${format.number(value)} %` }))}
            />
          )}
          {isSpent ? (
            <p role="status" className={guard === '' ? 'text-11 text-fg3' : 'text-12 text-danger'}>
              {t('refusals.GUARD_LIMIT')}
            </p>
          ) : (
            <p className="text-11 text-fg3">{t('option.guardHint')}</p>
          )}
        </div>
      )}
    </div>
  )
}

/** The buttons Buy Up and Buy Down, or instead the next step or the reason why no order is possible. */
function Actions({ desk }: { readonly desk: Desk }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [step, setStep] = useState<'certify' | 'admit'>()
  const { gate, market, summary } = desk
  const pair = `${market.base}/${market.quote}`
  const until = desk.context.me?.coolOffUntil
  const why =
    gate === 'closed'
      ? t('option.gate.closed')
      : gate === 'region'
        ? t('refusals.REGION_CLOSED')
        : gate === 'cooling-off'
          ? t('option.gate.coolingOff', { time: until === undefined || until === null ? '' : format.dateTime(until) })
          : desk.isSilent && (gate === undefined || gate === 'paused')
            ? t('option.gate.silent', { seconds: format.number(desk.context.terms.gapMaxMs / 1_000, 0, 1) })
            : gate === 'paused'
              ? t('option.gate.paused', { pair })
              : desk.isStale && gate === undefined
                ? t('trade.waitsForPrices')
                : undefined
  const left = stakesLeft(desk.context)
  const mostOf = (direction: Direction): string | undefined =>
    left === undefined ? undefined : t('option.most', { sum: format.sum(left[direction], desk.market.quote) })
  const isBlocked = gate !== undefined || desk.isStale
  return (
    <div className="flex flex-col gap-2">
      {why !== undefined && (
        <p role="status" className="rounded-control bg-warntint px-3 py-2 text-12 text-fg2">
          {why}
        </p>
      )}
      {gate === 'visitor' ? (
        <ButtonLink to={`/login?next=/Second?symbol=${market.symbol}`} isWide>
          {t('trade.login')}
        </ButtonLink>
      ) : gate === 'certify' ? (
        <Button isWide onClick={() => setStep('certify')}>
          {t('option.gate.certify')}
        </Button>
      ) : gate === 'admit' ? (
        <Button isWide onClick={() => setStep('admit')}>
          {t('option.gate.admit')}
        </Button>
      ) : (
        <Funded wanted={{ to: 'option', asset: market.quote, symbol: market.symbol }} isEmpty={desk.isEmpty}>
          <div className="grid grid-cols-2 gap-2">
            {(['up', 'down'] as const).map((direction) => (
              <Side
                key={direction}
                direction={direction}
                profit={summary.profit === undefined ? undefined : `+${format.sum(summary.profit, desk.market.quote)}`}
                most={desk.wrong[direction] === 'STAKES_SIDE_LIMIT' ? mostOf(direction) : undefined}
                isDisabled={isBlocked || isCapped(desk.wrong[direction]) || (desk.sending !== undefined && desk.sending !== direction)}
                isBusy={desk.sending === direction && desk.confirming === undefined}
                onPress={() => desk.press(direction)}
              />
            ))}
          </div>
        </Funded>
      )}
      <CertifyGate isOpen={step === 'certify'} onClose={() => setStep(undefined)} onCertified={() => setStep('admit')} />
      <Suspense fallback={null}>
        {step === 'admit' && <AdmitSheet terms={desk.context.terms} currency={market.quote} onClose={() => setStep(undefined)} />}
      </Suspense>
    </div>
  )
}

function Side({
  direction,
  profit,
  most,
  isDisabled,
  isBusy,
  onPress,
}: {
  readonly direction: Direction
  readonly profit: string | undefined
  /** The largest stake, if the ticket's is too large for this direction. */
  readonly most: string | undefined
  readonly isDisabled: boolean
  readonly isBusy: boolean
  readonly onPress: () => void
}) {
  const { t } = useTranslation()
  return (
    <Button variant={direction} isBusy={isBusy} disabled={isDisabled} onClick={onPress} className="min-h-14">
      <span className="flex flex-col items-center leading-tight">
        <span className="flex items-center gap-2">
          <Triangle direction={direction === 'up' ? 1 : -1} />
          {t(`option.side.${direction}`)}
        </span>
        {(most ?? profit) !== undefined && <span className="tn text-12 font-medium">{most ?? profit}</span>}
      </span>
    </Button>
  )
}
