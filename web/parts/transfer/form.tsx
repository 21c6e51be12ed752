import type { WireTransferEffect, WireTransferPreview } from '@candor/core/protocol/wire/funds.ts'
import type { Decimal, Units } from '@candor/core/money/brand.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowRight, ArrowUpDown } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { placesOf } from '../../app/formats.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Sending, useSendOnce } from '../../app/use-send-once.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CertifyGate, useIsCertified } from '../account/certify-gate.tsx'
import { SummaryRow } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { AmountField, plain, sumOf, unitsOf } from '../margin/amount-field.tsx'
import { assetsFor, choose, freeIn, type Move, movable, needsCertificate, type Place } from './places.ts'
import { takeBack } from './take-back.ts'
import { PlainSelect } from '../fields/plain-select.tsx'
import { poolKey } from '../margin/data.ts'
import { marginQuote } from '../margin/quote.ts'

/**
 * Transfers money between the user's accounts. The effect on margin levels and liquidation prices, computed by the exchange, is shown
 * above the button. `layout` places body and button.
 */
export function TransferForm({
  config,
  start,
  onDone,
  layout,
}: {
  readonly config: WireConfig
  readonly start: Move
  readonly onDone: () => void
  readonly layout: (parts: { readonly body: ReactNode; readonly button: ReactNode }) => ReactNode
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const [move, setMove] = useState(() => choose(start, {}, config))
  const [amount, setAmount] = useState('')
  const [isGated, setIsGated] = useState(false)
  const isCertified = useIsCertified()
  const balances = useBalances().data
  const { from, to, asset } = move
  const scale = scaleOf(config.assets, asset)
  const units = unitsOf(amount, scale)
  const isIsolated = from === 'margin-isolated' || to === 'margin-isolated'
  const free = freeIn(balances, from, move)
  const { preview, isOfAmount } = usePreview(move, isIsolated, units, scale, Number(free ?? 0) > 0)
  const most = preview?.max ?? free
  const mostUnits = most === undefined ? undefined : (parseUnits(most, scale) ?? 0)
  const isTooMuch = units !== undefined && mostUnits !== undefined && units > mostUnits
  const isBound = preview !== undefined && Number(preview.max) < Number(preview.available)
  const text = `${format.sum(amount === '' ? '0' : plain(amount), asset, true)} ${asset}`
  const transfer = useTransfer(isIsolated, ({ id }) => {
    const sent = { asset, from, to, ...(isIsolated ? { symbol: move.symbol } : {}), amount: plain(amount) }
    const run = (): void => void takeBack(sent, t('accounts.move.undone', { amount: text }), t, id)
    toast({ text: t('accounts.move.done', { amount: text }), tone: 'good', action: { text: t('accounts.move.undo'), run } })
    setAmount('')
    onDone()
  })
  const send = (): void => transfer.send({ move, amount: plain(amount) })
  const put = (change: Partial<Move>): void => {
    setMove(choose(move, change, config))
    setAmount('')
  }

  const body = (
    <div className="flex flex-col gap-3">
      <Places move={move} isIsolated={isIsolated} config={config} onChange={put} />
      <AmountField
        asset={asset}
        scale={scale}
        value={amount}
        most={most}
        mostLabel={isBound ? t('margin.most') : t('margin.available')}
        error={
          isTooMuch
            ? t(isBound && units <= (parseUnits(free ?? '0', scale) ?? 0) ? 'refusals.AMOUNT_BOUND' : 'refusals.INSUFFICIENT_BALANCE')
            : undefined
        }
        onChange={setAmount}
      />
      {mostUnits !== undefined && mostUnits > 0 && <Shares {...{ asset, scale, amount }} most={mostUnits} onChange={setAmount} />}
      {isBound && <Line label={t('margin.available')} value={preview.available} asset={asset} />}
      <Line label={t('accounts.move.there')} value={freeIn(balances, to, move)} asset={asset} />
      {isBound && <p className="text-12 text-warn">{t('accounts.move.bound')}</p>}
      {units !== undefined && !isTooMuch && preview !== undefined && <Effects preview={preview} isOfAmount={isOfAmount} config={config} />}
      <p className="text-12 text-fg2">{t(to === 'perp' || to === 'option' ? `accounts.move.into.${to}` : 'accounts.move.free')}</p>
      <FormError error={transfer.error} />
      <CertifyGate isOpen={isGated} onClose={() => setIsGated(false)} onCertified={send} />
    </div>
  )
  const button = (
    <Button
      isWide
      disabled={units === undefined || isTooMuch}
      isBusy={transfer.isSending}
      onClick={() => (isCertified || !needsCertificate(to) ? send() : setIsGated(true))}
    >
      {t('accounts.move.now')}
    </Button>
  )
  return layout({ body, button })
}

type Asked = { readonly move: Move; readonly amount: string }

function useTransfer(isIsolated: boolean, onDone: (answer: { readonly id: string }) => void): Sending<Asked> {
  return useSendOnce({
    request: (clientId, { move: { asset, from, to, symbol }, amount }: Asked) => ({
      clientId,
      asset,
      from,
      to,
      ...(isIsolated ? { symbol } : {}),
      amount,
    }),
    call: client.funds.transfer,
    alsoOld: poolKey,
    onAnswer: onDone,
  })
}

/** Shares of the largest amount, which a tap fills in. Each is rounded down to the coin's smallest unit. */
function Shares({
  asset,
  scale,
  amount,
  most,
  onChange,
}: {
  readonly asset: string
  readonly scale: number
  readonly amount: string
  readonly most: number
  readonly onChange: (text: string) => void
}) {
  const format = useFormats()
  return (
    <div className="flex gap-2">
      {[10, 25, 50, 75].map((percent) => {
        const sum = sumOf(mulDivFloor(most, percent, 100), scale)
        return (
          <button
            key={percent}
            type="button"
            aria-label={`${format.percent(percent, 0)}, ${format.sum(sum, asset, true)} ${asset}`}
            aria-pressed={amount === sum}
            onClick={() => onChange(sum)}
            className={`press tn min-h-8 min-w-13 flex-1 rounded-chip px-2 text-13 font-medium ${amount === sum ? 'bg-brandtint text-brand' : 'bg-s2 text-fg2'}`}
          >
            {format.percent(percent, 0)}
          </button>
        )
      })}
    </div>
  )
}

/** The two accounts, the pair of an isolated account, and the coin. */
function Places({
  move,
  isIsolated,
  config,
  onChange,
}: {
  readonly move: Move
  readonly isIsolated: boolean
  readonly config: WireConfig
  readonly onChange: (change: Partial<Move>) => void
}) {
  const { t } = useTranslation()
  const { from, to, asset, symbol } = move
  const places = movable.map((place) => ({ value: place, label: t(`accounts.name.${place}`) }))
  const pairs = config.markets.filter(({ kind, quote, symbol }) => kind === 'spot' && (quote === marginQuote || symbol === move.symbol))
  return (
    <>
      <div className="flex items-center gap-1">
        <div className="flex min-w-0 flex-1 flex-col gap-1.5">
          <PlainSelect<Place> label={t('accounts.move.from')} value={from} choices={places} onChange={(next) => onChange({ from: next })} />
          <PlainSelect<Place> label={t('accounts.move.to')} value={to} choices={places} onChange={(next) => onChange({ to: next })} />
        </div>
        <IconButton label={t('accounts.move.turn')} onClick={() => onChange({ from: to, to: from })}>
          <ArrowUpDown size={20} strokeWidth={1.75} aria-hidden className="text-brand" />
        </IconButton>
      </div>
      {isIsolated && (
        <PlainSelect
          label={t('accounts.move.pair')}
          value={symbol}
          choices={pairs.map((market) => ({ value: market.symbol, label: `${market.base}/${market.quote}` }))}
          onChange={(next) => onChange({ symbol: next })}
        />
      )}
      <PlainSelect
        label={t('margin.coin')}
        value={asset}
        choices={assetsFor(move, config).map((one) => ({ value: one, label: one }))}
        onChange={(next) => onChange({ asset: next })}
      />
    </>
  )
}

function Line({ label, value, asset }: { readonly label: string; readonly value: Decimal | undefined; readonly asset: string }) {
  const format = useFormats()
  return (
    <p className="flex flex-wrap justify-between gap-x-2 text-13 text-fg2">
      {label}
      <span className="tn text-fg">{value === undefined ? '–' : `${format.sum(value, asset, true)} ${asset}`}</span>
    </p>
  )
}

/** The exchange's preview of the transfer. Before an amount is typed, the smallest one is used to learn the maximum. */
function usePreview(
  move: Move,
  isIsolated: boolean,
  units: number | undefined,
  scale: number,
  isWorthAsking: boolean,
): { readonly preview: WireTransferPreview | undefined; readonly isOfAmount: boolean } {
  const { from, to, asset, symbol } = move
  const wanted = formatUnits((units ?? 1) as Units, scale)
  const amount = useSettled(wanted)
  const place = [from, to, asset, isIsolated ? symbol : '']
  const query = useQuery({
    queryKey: ['own', 'margin', 'preview', ...place, amount],
    queryFn: () => client.funds.transferPreview({ from, to, asset, amount, ...(isIsolated ? { symbol } : {}) }),
    enabled: isWorthAsking,
    staleTime: 3_000,
    // Until the next preview arrives, the last one for the same accounts is shown.
    placeholderData: (before, query) => (query?.queryKey.slice(3, 7).join() === place.join() ? keepPreviousData(before) : undefined),
  })
  return { preview: query.data, isOfAmount: amount === wanted && !query.isPlaceholderData }
}

/** The text, a moment after the last keystroke. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 200)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Values before and after the transfer. Until the preview of the typed amount arrives, the values after it are left open. */
function Effects({
  preview: { before, after },
  isOfAmount,
  config,
}: {
  readonly preview: WireTransferPreview
  readonly isOfAmount: boolean
  readonly config: WireConfig
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const marketOf = (symbol: string): WireMarket | undefined => config.markets.find((one) => one.symbol === symbol)
  const pairOf = (symbol: string): string => {
    const market = marketOf(symbol)
    return market === undefined ? symbol : `${market.base}/${market.quote}`
  }
  const priceIn = (effect: WireTransferEffect, symbol: string): string => {
    const price = effect.liquidations.find((one) => one.symbol === symbol)?.price ?? null
    return price === null ? t('margin.never') : format.number(price, 0, placesOf(marketOf(symbol)?.tick ?? '0.001') + 1)
  }
  const symbols = before.liquidations
    .map((one) => one.symbol)
    .filter((symbol) => [before, after].some((effect) => effect.liquidations.find((one) => one.symbol === symbol)?.price != null))
  const hasLevel = before.level !== null || after.level !== null
  const level = (value: string | null): string => (value === null ? t('margin.word.none') : format.number(value, 2, 2))
  return (
    <section aria-busy={!isOfAmount} className="rounded-control bg-s2 px-3 py-2">
      <p className="text-12 font-medium text-fg2">{t('accounts.move.effect')}</p>
      {!hasLevel && symbols.length === 0 ? (
        <p className="pt-1 text-13">{t('accounts.move.noEffect')}</p>
      ) : (
        <dl>
          {hasLevel && (
            <SummaryRow label={t('margin.level')}>
              <Change from={level(before.level)} to={isOfAmount ? level(after.level) : '…'} />
            </SummaryRow>
          )}
          {symbols.map((symbol) => (
            <SummaryRow key={symbol} label={t('accounts.move.liquidationOf', { pair: pairOf(symbol) })}>
              <Change from={priceIn(before, symbol)} to={isOfAmount ? priceIn(after, symbol) : '…'} />
            </SummaryRow>
          ))}
        </dl>
      )}
    </section>
  )
}

function Change({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-1.5">
      <span className="text-fg2">{from}</span>
      <ArrowRight size={14} strokeWidth={1.75} aria-hidden className="text-fg3" />
      <span>{to}</span>
    </span>
  )
}
