import type { ProvedAnchor } from '@candor/core/proof/chain/anchor.ts'
import { isCounted, type ReserveAddress, type ReserveNetwork, type ReserveStatement } from '@candor/core/proof/chain/reserve-text.ts'
import { type CoinReserves, decimalText, isStale, type ProvedReserves } from '@candor/core/proof/chain/reserves.ts'
import type { ReactNode } from 'react'
import { useFormats } from '../../app/format.ts'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { Facts, Hex, Result, type Tone } from './section.tsx'

/** The file has all; more would make the screen long. */
const addressesMax = 12

/** Networks have lower-case names in files. */
const titled = (network: string): string => network.charAt(0).toUpperCase() + network.slice(1)

/** That a statement holds. One that is old is told as that, and not as a good one. `tone`: where there is something else to say. */
export function ReserveResult({
  proved: { statement },
  tone = 'good',
  children,
}: {
  readonly proved: ProvedReserves
  readonly tone?: Tone
  readonly children?: ReactNode
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { n, at } = statement
  const isOld = isStale(statement, Date.now())
  return (
    <Result tone={isOld ? 'warn' : tone} text={isOld ? t('reserves.old', { at: format.dateTime(at) }) : t('reserves.checked')}>
      <p>{t('reserves.checkedHint', { n: format.number(n), at: format.dateTime(at) })}</p>
      {children}
    </Result>
  )
}

/** Reserves beside what is owed, by coin: a shortfall in the same place and size as a surplus. Coins without a chain come last. */
export function CoinRows({ coins }: { readonly coins: readonly CoinReserves[] }) {
  return (
    <Facts>
      {coins
        .toSorted((a, b) => Number(b.isOnChain) - Number(a.isOnChain))
        .map((coin) => (
          <SummaryRow key={coin.asset} label={coin.asset}>
            <Coin coin={coin} />
          </SummaryRow>
        ))}
    </Facts>
  )
}

function Coin({ coin }: { readonly coin: CoinReserves }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { asset, decimals, isOnChain, reserves, gross, debts, overGross, overNet, grossPpm, netPpm } = coin
  const sum = (amount: bigint): string => `${format.sum(decimalText(amount, decimals), asset)} ${asset}`
  if (!isOnChain) return <span className="block text-12 font-normal text-fg2">{t('reserves.noChain', { sum: sum(gross) })}</span>
  const percent = (ppm: bigint): string => format.percent(Number(ppm / 100n) / 100, 2)
  const isLent = debts > 0n
  return (
    <>
      {t('reserves.held', { sum: sum(reserves) })}
      {grossPpm === undefined && <span className="block text-12 font-normal text-fg2">{t('reserves.nothingOwed')}</span>}
      {grossPpm !== undefined && (
        <Over text={t('reserves.ofOwed', { percent: percent(grossPpm), sum: sum(gross) })} over={overGross} sum={sum} />
      )}
      {isLent && netPpm !== undefined && (
        <Over text={t('reserves.ofNet', { percent: percent(netPpm), sum: sum(gross - debts) })} over={overNet} sum={sum} />
      )}
    </>
  )
}

function Over({ text, over, sum }: { readonly text: string; readonly over: bigint; readonly sum: (amount: bigint) => string }) {
  const { t } = useTranslation()
  return (
    <span className="block text-12 font-normal text-fg2">
      {text}
      <span className={`block font-semibold ${over < 0n ? 'text-danger' : 'text-ok'}`}>
        {over < 0n ? t('reserves.shortfall', { sum: sum(-over) }) : t('reserves.surplus', { sum: sum(over) })}
      </span>
    </span>
  )
}

/** Where the sums come from: blocks, sources and addresses of each network. */
export function Networks({ statement: { networks } }: { readonly statement: ReserveStatement }) {
  const { t } = useTranslation()
  const format = useFormats()
  return networks.map((network) => {
    const { name, state, block, sources, addresses } = network
    return (
      <div key={name} className="flex flex-col gap-1">
        <h3 className="text-15 font-semibold">{titled(name)}</h3>
        {block !== undefined && (
          <p className="text-13 text-fg2">{t('reserves.block', { block: format.number(block.number), at: format.dateTime(block.at) })}</p>
        )}
        <p className={`text-13 break-words ${state === 'agreed' ? 'text-fg2' : 'rounded-control bg-warntint p-3'}`}>
          {t(`reserves.${state}`, { sources: sources.join(', ') })}
        </p>
        {addresses.length > 0 && (
          <Facts>
            {addresses.slice(0, addressesMax).map((one) => (
              <Address key={one.address} network={network} one={one} />
            ))}
          </Facts>
        )}
        {addresses.length > addressesMax && (
          <p className="text-12 text-fg2">{t('reserves.listed', { number: format.number(addresses.length) })}</p>
        )}
      </div>
    )
  })
}

/** A day, YYYY-MM-DD, is the same one in every zone. */
function dayText(day: string, tag: string): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`))
}

function Address({ network: { coins }, one }: { readonly network: ReserveNetwork; readonly one: ReserveAddress }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { tag } = useLang()
  const { address, role, place, signed, balances } = one
  const label = place === undefined ? t(`reserves.${role}`) : t(`reserves.${role}`, { place: format.number(place) })
  return (
    // Beside a label, an address would have no room on a phone.
    <div className="border-b border-line py-2 text-15 last:border-0">
      <dt className="text-13 text-fg2">{label}</dt>
      <dd className="tn text-end font-medium break-words">
        <Hex value={address} label={label} />
        {coins.map(({ asset, decimals }, at) => (
          <span key={asset} className="block text-12 font-normal">
            {format.sum(decimalText(balances[at]!, decimals), asset)} {asset}
          </span>
        ))}
        {signed !== undefined && (
          <span className="block text-12 font-normal text-fg2">{t('reserves.signedOn', { day: dayText(signed, tag) })}</span>
        )}
        {!isCounted(one) && <span className="block text-12 font-normal text-warn">{t('reserves.unsigned')}</span>}
      </dd>
    </div>
  )
}

/**
 * A head on a chain. `isOfStory`: whether this device follows the story that it is in; undefined where that was not asked. `tone`: where
 * there is something else to say.
 */
export function AnchorResult({
  proved,
  isOfStory,
  tone = 'good',
}: {
  readonly proved: ProvedAnchor
  readonly isOfStory: boolean | undefined
  readonly tone?: Tone
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { head, network, block, txid } = proved
  const n = format.number(head.n)
  const text = isOfStory === undefined ? 'reserves.anchor.unchecked' : isOfStory ? 'reserves.anchor.same' : 'reserves.anchor.other'
  return (
    <Result tone={isOfStory === false ? 'bad' : tone} text={t(text, { n })}>
      <p>{format.dateTime(head.at)}</p>
      <p>
        {block === null
          ? t('reserves.anchor.waiting', { network: titled(network) })
          : t('reserves.anchor.block', { network: titled(network), block: format.number(block.number) })}
      </p>
      <div className="flex items-center gap-2">
        {t('reserves.anchor.tx')} <Hex value={txid} label={t('reserves.anchor.tx')} />
      </div>
    </Result>
  )
}
