import type { WireChainNetwork, WireChains, WireWithdrawStanding, WireWithdrawTerms } from '@candor/core/protocol/wire/chains.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { Suspense, useEffect, useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { useFormats } from '../../app/format.ts'
import { acting } from '../../app/firm/acting.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { painted } from '../../app/painted.ts'
import { useTranslation } from '../../app/translate.ts'
import { CertifyGate, useIsCertified } from '../../parts/account/certify-gate.tsx'
import { useSafety } from '../../parts/account/safety.ts'
import { useAddresses } from '../../parts/addresses/data.ts'
import { Debts } from '../../parts/chains/debts.tsx'
import { NetworkChoice } from '../../parts/chains/network-choice.tsx'
import { useAsk } from '../../parts/firm/data.ts'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { laterSheet } from '../../parts/ui/later.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { AddressPicker } from './address-picker.tsx'
import { type Bounds, boundsOf, faultOf, mostOf, receivedOf, termsOf, typedUnits, withdrawable } from './form.ts'
import { useWithdraw } from './use-withdraw.ts'

/** Opens when the form is complete, so it is loaded after it. */
const loadReview = async () => (await import('./review-sheet.tsx')).ReviewSheet
const ReviewSheet = laterSheet(loadReview)
const loadAsk = async () => (await import('./ask-sheet.tsx')).AskSheet
/** Takes the place of the review in the account of a firm. */
const AskSheet = laterSheet(loadAsk)

type Assets = readonly { readonly symbol: string; readonly scale: number }[]

type Props = {
  readonly chains: WireChains
  readonly assets: Assets
  readonly standing: WireWithdrawStanding | undefined
  readonly onAsked: (id: string) => void
}

/** Coin, network, address and amount of a withdrawal, with all that limits it. */
export function WithdrawForm({ chains, assets, standing, onAsked }: Props) {
  const { query } = usePlace()
  const withdraw = useWithdraw(onAsked)
  // So that the tap finds it there. If it fails, the sheet offers a retry.
  useEffect(
    () =>
      void painted()
        .then<unknown>(acting === undefined ? loadReview : loadAsk)
        .catch(() => undefined),
    [],
  )
  const coins = withdrawable(chains)
  const [wanted, setWanted] = useState({ asset: query.get('asset') ?? '', network: query.get('network') ?? '' })
  const coin = coins.find(({ asset }) => asset === wanted.asset) ?? coins[0]!
  const network = coin.networks.find(({ name }) => name === wanted.network) ?? coin.networks[0]!
  const terms = termsOf(network, coin.asset)!
  return (
    <div className="flex flex-col gap-4 px-4 pt-1">
      {standing !== undefined && <Debts debts={standing.debts} />}
      <NetworkChoice coins={coins} asset={coin.asset} network={network} onChange={setWanted} />
      <Rest
        key={`${coin.asset} ${network.name}`}
        {...{
          asset: coin.asset,
          scale: assets.find(({ symbol }) => symbol === coin.asset)?.scale ?? 0,
          network,
          terms,
          standing,
          withdraw,
        }}
      />
    </div>
  )
}

type RestProps = Pick<Props, 'standing'> & {
  readonly withdraw: ReturnType<typeof useWithdraw>
  readonly asset: string
  readonly scale: number
  readonly network: WireChainNetwork
  readonly terms: WireWithdrawTerms
}

function Rest({ asset, scale, network, terms, standing, withdraw }: RestProps) {
  const { t } = useTranslation()
  const list = useAddresses().data
  const balances = useBalances().data
  const isCertified = useIsCertified()
  const [chosen, setChosen] = useState<string>()
  const [amount, setAmount] = useState('')
  const ask = useAsk(acting?.firm ?? '', () => navigate(`/organization?firm=${acting?.firm}&tab=requests`))
  const [step, setStep] = useState<'form' | 'certify' | 'review'>('form')
  const own = (list?.addresses ?? []).filter((one) => one.network === network.name)
  const usable = own.filter(({ usableAt }) => usableAt <= Date.now())
  const address = usable.find(({ id }) => id === chosen) ?? (usable.length === 1 ? usable[0] : undefined)
  const available = balances?.accounts.find(({ kind }) => kind === 'spot')?.balances.find((one) => one.asset === asset)?.available ?? '0'
  const bounds = boundsOf(terms, { asset, scale, available, standing })
  const units = typedUnits(amount, scale)
  const fault = units === undefined ? undefined : faultOf(units, bounds)
  const isBlocked = useBlocked(terms, standing)
  const isReady = address !== undefined && units !== undefined && fault === undefined && !isBlocked
  return (
    <>
      <Hindrances asset={asset} network={network} terms={terms} />
      <AddressPicker list={list} addresses={own} network={network} chosen={address} onChoose={setChosen} />
      <AmountPart {...{ asset, scale, amount, bounds, standing }} error={fault === undefined ? undefined : t(fault)} onChange={setAmount} />
      <Received asset={asset} units={units} bounds={bounds} scale={scale} />
      <Button isWide disabled={!isReady} onClick={() => setStep(isCertified || acting !== undefined ? 'review' : 'certify')}>
        {t('chains.next')}
      </Button>
      <CertifyGate isOpen={step === 'certify'} onClose={() => setStep('form')} onCertified={() => setStep('review')} />
      {step === 'review' && acting !== undefined && address !== undefined && units !== undefined && (
        <Suspense fallback={null}>
          <AskSheet {...{ asset, scale, network, terms, address, units, ask }} onClose={() => setStep('form')} />
        </Suspense>
      )}
      {step === 'review' && acting === undefined && address !== undefined && units !== undefined && (
        <Suspense fallback={null}>
          <ReviewSheet
            {...{ asset, scale, network, terms, address, units, isKeyNeeded: standing?.isKeyNeeded === true, withdraw }}
            onClose={() => {
              if (!withdraw.isSending) withdraw.clear()
              setStep('form')
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Whether something other than the input stands against a withdrawal. */
function useBlocked({ isOpen }: WireWithdrawTerms, standing: WireWithdrawStanding | undefined): boolean {
  const safety = useSafety().data
  // A firm's account has no protection of its own: each member who approves has.
  if (acting !== undefined) return !isOpen || (standing?.debts.length ?? 0) > 0
  const isPaused = (safety?.withdrawalsClosedUntil ?? 0) > Date.now()
  return !isOpen || isPaused || safety?.hasPaymentPassword === false || (standing?.debts.length ?? 0) > 0
}

/** What stands against a withdrawal, told before anything is typed. */
function Hindrances({
  asset,
  network,
  terms,
}: {
  readonly asset: string
  readonly network: WireChainNetwork
  readonly terms: WireWithdrawTerms
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const safety = useSafety().data
  const until = safety?.withdrawalsClosedUntil ?? 0
  return (
    <>
      {!terms.isOpen && <Warning>{t('chains.coinClosed', { asset, network: network.label })}</Warning>}
      {acting === undefined && until > Date.now() && <Warning>{t('chains.paused', { time: format.dateTime(until) })}</Warning>}
      {acting === undefined && safety?.hasPaymentPassword === false && (
        <div className="flex flex-col items-start gap-3 rounded-card bg-warntint p-4 text-13 text-fg">
          <p>{t('chains.noPayment')}</p>
          <ButtonLink to="/safety?open=payment" size="small">
            {t('chains.setPayment')}
          </ButtonLink>
        </div>
      )}
    </>
  )
}

function Warning({ children }: { readonly children: string }) {
  return (
    <p role="status" className="rounded-card bg-warntint p-4 text-13 text-fg">
      {children}
    </p>
  )
}

function AmountPart({
  asset,
  scale,
  amount,
  bounds,
  standing,
  error,
  onChange,
}: {
  readonly asset: string
  readonly scale: number
  readonly amount: string
  readonly bounds: Bounds
  readonly standing: WireWithdrawStanding | undefined
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const most = mostOf(bounds)
  const text = (units: number): string => `${format.sum(formatUnits(units, scale), asset, true)} ${asset}`
  return (
    <div className="flex flex-col gap-2">
      <NumberField
        label={`${t('chains.amount')} (${asset})`}
        value={amount}
        step={asset === 'USDT' ? '1' : '0.01'}
        places={scale}
        onChange={onChange}
        error={error}
        after={
          <Button variant="ghost" size="small" disabled={most <= 0} onClick={() => onChange(formatUnits(most, scale))}>
            {t('chains.all')}
          </Button>
        }
      />
      <dl className="flex flex-col gap-1 text-12 text-fg2">
        <Line label={t('chains.available')}>{text(bounds.available)}</Line>
        <Line label={t('chains.min')}>{text(bounds.min)}</Line>
        {bounds.left !== undefined && standing !== undefined && (
          <Line label={t('chains.today')}>
            {t('chains.todayOf', { left: format.number(formatUnits(bounds.left, scale)), limit: format.number(standing.today.limit) })}
          </Line>
        )}
        {bounds.unfinal > 0 && <Line label={t('chains.unfinal')}>{text(bounds.unfinal)}</Line>}
      </dl>
      {bounds.unfinal > 0 && <p className="text-12 text-fg3">{t('chains.unfinalHint')}</p>}
    </div>
  )
}

function Line({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-3">
      <dt>{label}</dt>
      <dd className="tn text-fg">{children}</dd>
    </div>
  )
}

function Received({
  asset,
  units,
  bounds,
  scale,
}: {
  readonly asset: string
  readonly units: number | undefined
  readonly bounds: Bounds
  readonly scale: number
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const received = receivedOf(units, bounds, scale)
  return (
    <section className="rounded-card bg-s1 px-4 py-2">
      <dl>
        <SummaryRow label={t('chains.fee')}>{`${format.sum(formatUnits(bounds.fee, scale), asset, true)} ${asset}`}</SummaryRow>
        <SummaryRow label={t('chains.receive')}>
          <span className="text-22 font-semibold">{received === undefined ? '–' : `${format.sum(received, asset, true)} ${asset}`}</span>
        </SummaryRow>
      </dl>
    </section>
  )
}
