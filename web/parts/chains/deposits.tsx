import type { WireChains, WireDeposit } from '@candor/core/protocol/wire/chains.ts'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { GroupedAddress } from '../addresses/grouped.tsx'
import { Coin } from '../funds/coin.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { AskSupport } from '../ui/ask-support.tsx'
import { Amount } from '../ui/figure.tsx'
import { Sheet, SummaryRow } from '../ui/sheet.tsx'
import { networkLabel, networkNamed } from './data.ts'
import { Tag } from './tag.tsx'
import { aboutDeposit, depositTone, depositWord } from './words.ts'
import { TransactionRow } from './transaction.tsx'

/** Deposits in rows; a tap opens one with all that is known of it. */
export function DepositList({ items, chains }: { readonly items: readonly WireDeposit[]; readonly chains: WireChains | undefined }) {
  const [opened, setOpened] = useState<string>()
  const deposit = items.find(({ id }) => id === opened)
  return (
    <>
      <ul>
        {items.map((one) => (
          <li key={one.id} className="border-b border-line last:border-0">
            <DepositRow deposit={one} network={networkLabel(chains, one.network)} onOpen={() => setOpened(one.id)} />
          </li>
        ))}
      </ul>
      {deposit !== undefined && <DepositSheet deposit={deposit} chains={chains} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function DepositRow({
  deposit,
  network,
  onOpen,
}: {
  readonly deposit: WireDeposit
  readonly network: string
  readonly onOpen: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { asset, amount, seenAt, state, confirmations, needed } = deposit
  return (
    <button type="button" onClick={onOpen} className="flex min-h-15 w-full items-center gap-3 px-4 py-2.5 text-start active:bg-s2">
      <Coin asset={asset} size={32} />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-15 font-medium">
            {asset} <span className="text-12 font-normal text-fg3">{network}</span>
          </span>
          <Amount value={amount} asset={asset} className="text-15 font-medium" />
        </span>
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="tn text-11 text-fg3">{format.dateTime(seenAt)}</span>
          <Tag tone={depositTone(deposit)}>{depositWord(deposit, t)}</Tag>
        </span>
        {state === 'confirming' && needed > 0 && <Progress done={confirmations} of={needed} />}
      </span>
    </button>
  )
}

function Progress({ done, of }: { readonly done: number; readonly of: number }) {
  return (
    <span aria-hidden className="h-1 overflow-hidden rounded-full bg-s2">
      <span className="block h-full rounded-full bg-brand" style={{ width: `${Math.min(100, (100 * done) / of)}%` }} />
    </span>
  )
}

function DepositSheet({
  deposit,
  chains,
  onClose,
}: {
  readonly deposit: WireDeposit
  readonly chains: WireChains | undefined
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { id, asset, amount, address, txid, seenAt, creditedAt, finalAt } = deposit
  const about = aboutDeposit(deposit, t, format)
  return (
    <Sheet isOpen onClose={onClose} title={`${t('chains.aDeposit')} · ${asset}`}>
      {about !== undefined && <p className="mb-2 rounded-control bg-s2 p-3 text-13 text-fg2">{about}</p>}
      <dl>
        <SummaryRow label={t('chains.amount')}>
          <Amount value={amount} asset={asset} isFull />
        </SummaryRow>
        <SummaryRow label={t('chains.status')}>
          <Tag tone={depositTone(deposit)}>{depositWord(deposit, t)}</Tag>
        </SummaryRow>
        <SummaryRow label={t('chains.network')}>{networkLabel(chains, deposit.network)}</SummaryRow>
        <SummaryRow label={t('chains.submitted')}>{format.dateTime(seenAt)}</SummaryRow>
        {creditedAt !== undefined && <SummaryRow label={t('chains.state.credited')}>{format.dateTime(creditedAt)}</SummaryRow>}
        {finalAt !== undefined && <SummaryRow label={t('chains.completed')}>{format.dateTime(finalAt)}</SummaryRow>}
        <SummaryRow label={t('chains.number')}>
          <span className="inline-flex items-center">
            {id}
            <CopyButton text={id} label={t('chains.number')} />
          </span>
        </SummaryRow>
      </dl>
      <div className="flex flex-col gap-3 pt-3">
        <div className="flex flex-col gap-1.5">
          <span className="text-13 text-fg2">{t('chains.address')}</span>
          <GroupedAddress address={address} className="text-13" />
        </div>
        <TransactionRow txid={txid} explorer={networkNamed(chains, deposit.network)?.explorer} />
        <AskSupport kind="deposit" id={id} />
      </div>
    </Sheet>
  )
}
