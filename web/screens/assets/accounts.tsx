import type { WireAccount, WireBalances } from '@candor/core/protocol/wire/funds.ts'
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { ArrowLeftRight, ChevronRight } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import { usePriceOf } from '../../parts/funds/price-of.ts'
import { worthOf } from './worth.ts'

/** The desk of each account. */
const desks = {
  spot: '/spot',
  perp: '/contract',
  'margin-cross': '/lever',
  'margin-isolated': '/lever',
  option: '/Second',
  lend: '/lend',
} as const satisfies Readonly<Record<WireAccount['kind'], string>>

/** All accounts, including empty ones, so that they can be funded. */
export function Accounts({ balances, config }: { readonly balances: WireBalances; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const isolated = balances.accounts.filter((one) => one.kind === 'margin-isolated')
  const single = (kind: WireAccount['kind']): WireAccount => balances.accounts.find((one) => one.kind === kind) ?? { kind, balances: [] }
  const total = (of: (account: WireAccount) => string | undefined): number =>
    balances.accounts.reduce((sum, account) => sum + Number(of(account) ?? 0), 0)
  const [unrealised, debt] = [total((one) => one.unrealisedUsdt), total((one) => one.debtUsdt)]
  const sum = useSum()
  const accounts = [single('spot'), single('perp'), single('margin-cross'), ...isolated, single('option'), single('lend')]
  return (
    <section className="flex flex-col gap-2 px-4 pt-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-17 font-semibold">{t('accounts.worth.accounts')}</h2>
        <p className="text-12 text-fg2">
          {[
            unrealised === 0 ? '' : t('accounts.worth.unrealised', { amount: sum(unrealised) }),
            debt === 0 ? '' : t('accounts.worth.debt', { amount: sum(debt) }),
          ]
            .filter((text) => text !== '')
            .join(' · ')}
        </p>
      </div>
      <ul className="overflow-hidden rounded-card bg-s1 [&>*+*]:border-t [&>*+*]:border-line">
        {accounts.map((account) => (
          <li key={`${account.kind} ${account.symbol}`}>
            <AccountRow account={account} config={config} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function AccountRow({ account, config }: { readonly account: WireAccount; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const sum = useSum()
  const isHidden = useSettings((settings) => settings.hideBalances)
  const worth = worthOf(account, usePriceOf())
  const { kind, symbol } = account
  const market = config.markets.find((one) => one.symbol === symbol)
  const name = market === undefined ? t(`accounts.name.${kind}`) : t('accounts.isolatedOf', { pair: `${market.base}/${market.quote}` })
  const unrealised = Number(account.unrealisedUsdt ?? 0)
  const debt = Number(account.debtUsdt ?? 0)
  const of = symbol === undefined ? '' : `?symbol=${symbol}`
  return (
    <div className="flex items-center">
      <a href={`#${desks[kind]}${of}`} className="flex min-h-14 min-w-0 flex-1 items-center gap-2 py-2 ps-4 active:bg-s2">
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="truncate text-15">{name}</span>
          {unrealised !== 0 && (
            <span className={`text-11 ${unrealised > 0 ? 'text-up' : 'text-down'}`}>
              {t('accounts.worth.unrealised', { amount: `${unrealised > 0 && !isHidden ? '+' : ''}${sum(account.unrealisedUsdt ?? '0')}` })}
            </span>
          )}
          {debt > 0 && <span className="text-11 text-fg2">{t('accounts.worth.debt', { amount: sum(account.debtUsdt ?? '0') })}</span>}
        </span>
        <span className="text-15 font-medium">{worth === undefined ? '–' : <Amount value={worth.toFixed(2)} asset="USDT" isBare />}</span>
        {kind === 'lend' && (
          // As wide as the buttons of the other rows, so that the amounts end at one line.
          <span aria-hidden className="-ms-2 flex size-11 shrink-0 items-center justify-center text-fg3">
            <ChevronRight size={18} strokeWidth={1.75} />
          </span>
        )}
      </a>
      {kind !== 'lend' && (
        <a
          href={`#/transfer?${kind === 'spot' ? 'from=spot' : `to=${kind}`}${symbol === undefined ? '' : `&symbol=${symbol}`}`}
          aria-label={t('accounts.worth.transferOf', { account: name })}
          className="press flex size-11 shrink-0 items-center justify-center text-brand"
        >
          <ArrowLeftRight size={18} strokeWidth={1.75} aria-hidden />
        </a>
      )}
    </div>
  )
}

/** Formats a sum for a sentence, masked when balances are hidden. */
function useSum(): (value: string | number) => string {
  const format = useFormats()
  const isHidden = useSettings((settings) => settings.hideBalances)
  return (value) => (isHidden ? '••••' : `${format.usdt(typeof value === 'string' ? value : value.toFixed(2))} USDT`)
}
