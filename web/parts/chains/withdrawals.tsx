import type { WireChains, WireWithdrawal, WireWithdrawalStep } from '@candor/core/protocol/wire/chains.ts'
import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { GroupedAddress } from '../addresses/grouped.tsx'
import { Coin } from '../funds/coin.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { AskSupport } from '../ui/ask-support.tsx'
import { Amount } from '../ui/figure.tsx'
import { ConfirmSheet, Sheet, SummaryRow } from '../ui/sheet.tsx'
import { toast } from '../ui/toast.tsx'
import { chains as api, networkLabel, networkNamed } from './data.ts'
import { Tag } from './tag.tsx'
import { TransactionRow } from './transaction.tsx'
import { reasonWord, withdrawalTone } from './words.ts'

/** Withdrawals in rows; a tap opens one with its progress. */
export function WithdrawalList({ items, chains }: { readonly items: readonly WireWithdrawal[]; readonly chains: WireChains | undefined }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<string>()
  const one = items.find(({ id }) => id === opened)
  return (
    <>
      <ul>
        {items.map((each) => (
          <li key={each.id} className="border-b border-line last:border-0">
            <WithdrawalRow withdrawal={each} network={networkLabel(chains, each.network)} onOpen={() => setOpened(each.id)} />
          </li>
        ))}
      </ul>
      {one !== undefined && (
        <Sheet isOpen onClose={() => setOpened(undefined)} title={`${t('chains.aWithdrawal')} · ${one.asset}`}>
          <WithdrawalDetails withdrawal={one} chains={chains} />
        </Sheet>
      )}
    </>
  )
}

function WithdrawalRow({
  withdrawal,
  network,
  onOpen,
}: {
  readonly withdrawal: WireWithdrawal
  readonly network: string
  readonly onOpen: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { asset, amount, requestedAt, status } = withdrawal
  return (
    <button type="button" onClick={onOpen} className="flex min-h-15 w-full items-center gap-3 px-4 py-2.5 text-start active:bg-s2">
      <Coin asset={asset} size={32} />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-15 font-medium">
            {asset} <span className="text-12 font-normal text-fg3">{network}</span>
          </span>
          <Amount value={`-${amount}`} asset={asset} className="text-15 font-medium" />
        </span>
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="tn text-11 text-fg3">{format.dateTime(requestedAt)}</span>
          <Tag tone={withdrawalTone(withdrawal)}>{t(`chains.statuses.${status}`)}</Tag>
        </span>
      </span>
    </button>
  )
}

/** A withdrawal with its progress, and the way to take it back while it is not decided. */
export function WithdrawalDetails({
  withdrawal,
  chains,
}: {
  readonly withdrawal: WireWithdrawal
  readonly chains: WireChains | undefined
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { id, asset, amount, fee, received, address, label, status, step, requestedAt, endedAt, reason, txid } = withdrawal
  return (
    <div className="flex flex-col gap-4">
      <Timeline withdrawal={withdrawal} />
      {status === 'rejected' && (
        <p className="rounded-control bg-dangertint p-3 text-13 text-danger">
          {reason !== undefined && (
            <span className="block pb-1 font-medium break-words">{`${t('chains.reason')}: ${reasonWord(reason, t)}`}</span>
          )}
          {t('chains.back')}
        </p>
      )}
      <dl>
        <SummaryRow label={t('chains.amount')}>
          <Amount value={amount} asset={asset} isFull />
        </SummaryRow>
        <SummaryRow label={t('chains.fee')}>
          <Amount value={fee} asset={asset} isFull />
        </SummaryRow>
        <SummaryRow label={t('chains.received')}>
          <Amount value={received} asset={asset} isFull />
        </SummaryRow>
        <SummaryRow label={t('chains.status')}>
          <Tag tone={withdrawalTone(withdrawal)}>{t(`chains.statuses.${status}`)}</Tag>
        </SummaryRow>
        <SummaryRow label={t('chains.network')}>{networkLabel(chains, withdrawal.network)}</SummaryRow>
        <SummaryRow label={t('chains.submitted')}>{format.dateTime(requestedAt)}</SummaryRow>
        {endedAt !== undefined && <SummaryRow label={t('chains.completed')}>{format.dateTime(endedAt)}</SummaryRow>}
        <SummaryRow label={t('chains.number')}>
          <span className="inline-flex items-center">
            {id}
            <CopyButton text={id} label={t('chains.number')} />
          </span>
        </SummaryRow>
      </dl>
      <div className="flex flex-col gap-1.5">
        <span className="text-13 text-fg2">{label === undefined ? t('chains.to') : `${t('chains.to')} · ${label}`}</span>
        <GroupedAddress address={address} className="text-13" />
      </div>
      {txid !== undefined && <TransactionRow txid={txid} explorer={networkNamed(chains, withdrawal.network)?.explorer} />}
      <AskSupport kind="withdrawal" id={id} />
      {step === 'requested' && <CancelButton withdrawal={withdrawal} />}
    </div>
  )
}

const path: readonly WireWithdrawalStep[] = ['requested', 'approved', 'sent', 'confirmed', 'completed']

/** The steps that are done, and those that follow. An end other than the payment comes after what was done until then. */
function Timeline({ withdrawal: { step } }: { readonly withdrawal: WireWithdrawal }) {
  const { t } = useTranslation()
  const at = path.indexOf(step)
  const steps: readonly WireWithdrawalStep[] = at < 0 ? ['requested', ...(step === 'failed' ? (['approved'] as const) : []), step] : path
  const now = steps.indexOf(step)
  return (
    <ol aria-label={t('chains.progress')} className="flex flex-col">
      {steps.map((one, place) => {
        const isDone = place <= now
        const isBad = isDone && place === now && at < 0
        return (
          <li key={one} aria-current={place === now ? 'step' : undefined} className="flex gap-3">
            <span aria-hidden className="flex flex-col items-center">
              <span
                className={`flex size-5 items-center justify-center rounded-full ${isBad ? 'bg-dangertint text-danger' : isDone ? 'bg-brand text-onbrand' : 'bg-s3'}`}
              >
                {isBad ? <X size={13} strokeWidth={2.5} /> : isDone && <Check size={13} strokeWidth={2.5} />}
              </span>
              {place < steps.length - 1 && <span className={`min-h-3.5 w-0.5 flex-1 ${place < now ? 'bg-brand' : 'bg-s3'}`} />}
            </span>
            <span className={`pb-2.5 text-13 ${place === now ? 'font-semibold' : isDone ? '' : 'text-fg3'}`}>
              {t(`chains.step.${one}`)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function CancelButton({ withdrawal: { id, amount, asset } }: { readonly withdrawal: WireWithdrawal }) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => api.cancelWithdrawal(id),
    onSuccess: () => {
      setIsAsking(false)
      toast({ text: t('chains.cancelled'), tone: 'good' })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  return (
    <>
      <Button variant="danger" isWide onClick={() => setIsAsking(true)}>
        {t('chains.cancel')}
      </Button>
      <ConfirmSheet
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => cancel.mutate()}
        isBusy={cancel.isPending}
        title={t('chains.cancelAsk')}
        confirm={t('chains.cancel')}
        tone="danger"
        note={t('chains.cancelNote')}
        error={cancel.error}
      >
        <SummaryRow label={t('chains.amount')}>
          <Amount value={amount} asset={asset} isFull />
        </SummaryRow>
      </ConfirmSheet>
    </>
  )
}
