import { AskSupport } from '../../parts/ui/ask-support.tsx'
import type { WireChainNetwork, WireChains } from '@candor/core/protocol/wire/chains.ts'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleCheck, Copy } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { useTranslation } from '../../app/translate.ts'
import { GroupedAddress } from '../../parts/addresses/grouped.tsx'
import { chains as api } from '../../parts/chains/data.ts'
import { AddressUnsigned, knownKey, verified, WalletKeyChanged } from '../../parts/chains/verified.ts'
import { Button } from '../../parts/ui/button.tsx'
import { copyText } from '../../parts/ui/copy.tsx'
import { QrCode } from '../../parts/ui/qr.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { minOf } from './choice.ts'
import { TestDeposit } from './test-deposit.tsx'

type Props = {
  readonly asset: string
  readonly network: WireChainNetwork
  readonly chains: WireChains
  readonly walletKey: string
  readonly uid: string
}

/** The address of the user, which this device has checked, with all that a sender must know. */
export function AddressCard({ asset, network, chains, walletKey, uid }: Props) {
  const address = useQuery({
    queryKey: ['own', 'deposit-address', network.name, walletKey, uid],
    queryFn: async () => {
      const known = await knownKey(walletKey, chains.walletKeyChanges)
      return verified(await api.depositAddress(network.name), { network: network.name, uid, walletKey: known })
    },
    staleTime: 60 * 60_000,
  })
  const { t } = useTranslation()
  if (address.data === undefined)
    return address.error === null ? (
      <Skeleton className="h-96 w-full rounded-card" />
    ) : address.error instanceof AddressUnsigned || address.error instanceof WalletKeyChanged ? (
      <div role="alert" className="rounded-card bg-dangertint p-4 text-13 text-pretty text-danger">
        <p>{t(address.error instanceof WalletKeyChanged ? 'chains.keyChanged' : 'chains.wrong')}</p>
        <AskSupport />
      </div>
    ) : (
      <Failure error={address.error} onRetry={() => void address.refetch()} />
    )
  return (
    <>
      <Shown address={address.data} asset={asset} network={network} />
      <Reminders asset={asset} network={network} />
      {chains.hasTestDeposits && <TestDeposit asset={asset} network={network} />}
    </>
  )
}

function Shown({ address, asset, network }: { readonly address: string; readonly asset: string; readonly network: WireChainNetwork }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await copyText(address)
    tick()
    setIsCopied(true)
  }
  const { confirmations: blocks, creditMs, finalMs } = network
  return (
    <section className="flex flex-col gap-4 rounded-card bg-s1 p-4">
      <h2 className="text-13 font-medium text-fg2">{`${t('chains.address')} · ${network.label}`}</h2>
      <QrCode text={address} label={t('chains.qr')} />
      <div className="flex flex-col gap-2">
        <GroupedAddress address={address} className="justify-center text-15" />
        <p className="flex items-center justify-center gap-1.5 text-12 text-fg3">
          <CircleCheck size={14} strokeWidth={1.75} aria-hidden className="shrink-0 text-ok" />
          {t('chains.checked')}
        </p>
      </div>
      <div className="flex flex-col gap-2">
        <Button isWide onClick={() => void copy()}>
          {isCopied ? <Check size={18} strokeWidth={2} aria-hidden /> : <Copy size={18} strokeWidth={1.75} aria-hidden />}
          {t('chains.copy')}
        </Button>
        <p role="status" className="text-center text-12 text-fg2 empty:hidden">
          {isCopied ? t('chains.copied') : ''}
        </p>
      </div>
      <dl>
        <SummaryRow label={t('chains.min')}>{`${format.number(minOf(network, asset) ?? '0')} ${asset}`}</SummaryRow>
        <SummaryRow label={t('chains.creditAfter')}>
          {blocks === 0
            ? t('chains.afterFinal', { time: format.span(creditMs) })
            : t('chains.afterBlocks', { blocks, time: format.span(creditMs) })}
        </SummaryRow>
        {blocks > 0 && <SummaryRow label={t('chains.finalAfter')}>{t('chains.afterFinal', { time: format.span(finalMs) })}</SummaryRow>}
      </dl>
    </section>
  )
}

/** The reminders of the specification. */
function Reminders({ asset, network }: { readonly asset: string; readonly network: WireChainNetwork }) {
  const { t } = useTranslation()
  const format = useFormats()
  const about = { asset, network: network.label, min: format.number(minOf(network, asset) ?? '0') }
  return (
    <section className="rounded-card bg-warntint p-4 text-13 text-fg">
      <h2 className="font-semibold">{t('chains.before')}</h2>
      <ul className="flex list-disc flex-col gap-1.5 ps-5 pt-2">
        <li>{t('chains.only', about)}</li>
        <li>{t('chains.fromExchange', about)}</li>
        <li>{t('chains.least', about)}</li>
      </ul>
    </section>
  )
}
