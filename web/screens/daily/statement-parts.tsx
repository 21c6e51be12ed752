import type { Decimal } from '@candor/core/money/brand.ts'
import {
  statementLines,
  type WireStatement,
  type WireStatementCoin,
  type WireStatementDebt,
  type WireStatementValue,
  type WireUsedPrice,
} from '@candor/core/protocol/wire/days/daily.ts'
import type { ReactNode } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { Gain } from './figure.tsx'

const isZero = (amount: Decimal): boolean => Number(amount) === 0

function Block({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2 px-4">
      <h2 className="text-17 font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Line({
  label,
  isStrong = false,
  children,
}: {
  readonly label: string
  readonly isStrong?: boolean
  readonly children: ReactNode
}) {
  return (
    <div className={`flex min-h-9 flex-wrap items-center justify-between gap-x-4 py-1 ${isStrong ? 'text-15 font-semibold' : 'text-13'}`}>
      <dt className={isStrong ? '' : 'text-fg2'}>{label}</dt>
      <dd className="ms-auto text-end">{children}</dd>
    </div>
  )
}

/** From the opening to the closing value. A line without a sum is left out. */
export function Value({ value, isAll }: { readonly value: WireStatementValue | null; readonly isAll: boolean }) {
  const { t } = useTranslation()
  return (
    <Block title={t('daily.statement.value')}>
      {value === null ? (
        <p className="rounded-card bg-s1 p-4 text-13 text-fg2">{t('daily.statement.noValue')}</p>
      ) : (
        <dl className="rounded-card bg-s1 px-4 py-2">
          <Line label={t('daily.statement.opening')} isStrong>
            <Amount value={value.opening} min={2} max={2} />
          </Line>
          {!isZero(value.net) && (
            <Line label={t('daily.statement.net')}>
              <Signed value={value.net} />
            </Line>
          )}
          {!isAll && !isZero(value.transfers) && (
            <Line label={t('daily.line.transfers')}>
              <Signed value={value.transfers} />
            </Line>
          )}
          <Line label={t('daily.statement.profit')} isStrong>
            <Gain value={value.profit} />
          </Line>
          <div className="border-s-2 border-line ps-3">
            {(['trading', 'fees', 'funding', 'interest'] as const).map((part) =>
              isZero(value[part]) ? null : (
                <Line key={part} label={part === 'trading' ? t('daily.statement.trading') : t(`daily.line.${part}`)}>
                  <Gain value={value[part]} />
                </Line>
              ),
            )}
          </div>
          <Line label={t('daily.statement.closing')} isStrong>
            <Amount value={value.closing} min={2} max={2} />
          </Line>
          {(!isZero(value.openProfit.opening) || !isZero(value.openProfit.closing)) && (
            <Line label={t('daily.statement.openProfit')}>
              <Gain value={value.openProfit.closing} />
            </Line>
          )}
          {(!isZero(value.pledged.opening) || !isZero(value.pledged.closing)) && (
            <Line label={t('daily.statement.pledged')}>
              <Amount value={value.pledged.closing} min={2} max={2} />
            </Line>
          )}
        </dl>
      )}
    </Block>
  )
}

/** A sum that came in or went out, with its sign but no colour: it is no result. */
function Signed({ value, asset }: { readonly value: Decimal; readonly asset?: string }) {
  return (
    <span className="whitespace-nowrap">
      {Number(value) > 0 && <span aria-hidden>+</span>}
      {asset === undefined ? <Amount value={value} min={2} max={2} /> : <Amount value={value} asset={asset} isBare isFull />}
    </span>
  )
}

/** Each coin from the opening to the closing balance, to the unit. */
export function Coins({ coins, isAll }: { readonly coins: readonly WireStatementCoin[]; readonly isAll: boolean }) {
  const { t } = useTranslation()
  return (
    <Block title={t('daily.statement.coins')}>
      {coins.map(({ asset, opening, lines, closing }) => (
        <div key={asset} className="rounded-card bg-s1 px-4 py-2">
          <h3 className="flex min-h-10 items-center gap-2 text-15 font-semibold">
            <Coin asset={asset} size={22} />
            {asset}
          </h3>
          <dl>
            <Line label={t('daily.statement.opening')}>
              <Amount value={opening} asset={asset} isBare isFull />
            </Line>
            {statementLines.map((line) =>
              isZero(lines[line]) || (isAll && line === 'transfers') ? null : (
                <Line key={line} label={t(`daily.line.${line}`)}>
                  <Signed value={lines[line]} asset={asset} />
                </Line>
              ),
            )}
            <Line label={t('daily.statement.closing')} isStrong>
              <Amount value={closing} asset={asset} isBare isFull />
            </Line>
          </dl>
        </div>
      ))}
    </Block>
  )
}

export function Debts({ debts }: { readonly debts: readonly WireStatementDebt[] }) {
  const { t } = useTranslation()
  if (debts.length === 0) return null
  return (
    <Block title={t('daily.statement.debts')}>
      {debts.map(({ asset, opening, borrowed, interest, repaid, closing }) => (
        <div key={asset} className="rounded-card bg-s1 px-4 py-2">
          <h3 className="flex min-h-10 items-center gap-2 text-15 font-semibold">
            <Coin asset={asset} size={22} />
            {asset}
          </h3>
          <dl>
            <Line label={t('daily.statement.opening')}>
              <Amount value={opening} asset={asset} isBare isFull />
            </Line>
            <Line label={t('daily.statement.borrowed')}>
              <Signed value={borrowed} asset={asset} />
            </Line>
            <Line label={t('daily.line.interest')}>
              <Signed value={interest} asset={asset} />
            </Line>
            <Line label={t('daily.statement.repaid')}>
              <Signed value={isZero(repaid) ? repaid : `-${repaid}`} asset={asset} />
            </Line>
            <Line label={t('daily.statement.closing')} isStrong>
              <Amount value={closing} asset={asset} isBare isFull />
            </Line>
          </dl>
        </div>
      ))}
    </Block>
  )
}

/** The prices that value the coins, with the minute and market of each. */
export function Prices({ prices, used }: { readonly prices: WireStatement['prices']; readonly used: readonly string[] }) {
  const { t } = useTranslation()
  const shown = prices.filter(({ asset }) => used.includes(asset))
  if (shown.length === 0) return null
  return (
    <Block title={t('daily.statement.prices')}>
      <p className="text-13 text-pretty text-fg2">{t('daily.statement.pricesHint')}</p>
      <dl className="rounded-card bg-s1 px-4 py-2">
        {shown.map(({ asset, opening, closing }) => (
          <div key={asset} className="border-t border-line py-2 first:border-0">
            <dt className="text-13 font-semibold">{asset}</dt>
            <dd className="flex flex-col gap-1 pt-1">
              <Used label={t('daily.statement.atStart')} price={opening} />
              <Used label={t('daily.statement.atEnd')} price={closing} />
            </dd>
          </div>
        ))}
      </dl>
    </Block>
  )
}

function Used({ label, price }: { readonly label: string; readonly price: WireUsedPrice | null }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <p className="flex flex-wrap justify-between gap-x-4 text-12 text-fg2">
      <span>{label}</span>
      {price === null ? (
        <span className="text-fg3">{t('daily.missing')}</span>
      ) : (
        <span className="tn ms-auto text-end">
          <span className="text-fg">{format.exact(price.price)}</span> · {price.isPresale ? t('daily.statement.presale') : price.symbol} ·{' '}
          {format.utc(price.minute).slice(0, 16)}
          {price.isReference && ` · ${t('daily.statement.reference')}`}
        </span>
      )}
    </p>
  )
}
