import type { WireWithdrawalAddress, WireWithdrawalList } from '@candor/core/protocol/wire/addresses.ts'
import type { WireChainNetwork } from '@candor/core/protocol/wire/chains.ts'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { GroupedAddress } from '../../parts/addresses/grouped.tsx'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'

type Props = {
  readonly list: WireWithdrawalList | undefined
  /** Those of the network, waiting ones included. */
  readonly addresses: readonly WireWithdrawalAddress[]
  readonly network: WireChainNetwork
  readonly chosen: WireWithdrawalAddress | undefined
  readonly onChoose: (id: string) => void
}

/** Where the withdrawal goes: one of the addresses on the user's list. */
export function AddressPicker({ list, addresses, network, chosen, onChoose }: Props) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  if (list === undefined) return <Skeleton className="h-20 w-full rounded-control" />
  if (addresses.length === 0)
    return (
      <div className="flex flex-col items-start gap-3 rounded-card bg-s1 p-4">
        <p className="text-13 text-fg2">{t('chains.noAddress', { network: network.label })}</p>
        <ButtonLink to="/addaddress" variant="soft" size="small">
          {t('addresses.add')}
        </ButtonLink>
      </div>
    )
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-13 font-medium text-fg2">{t('chains.to')}</span>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className="flex min-h-12 w-full items-center gap-3 rounded-control bg-s2 px-4 py-2.5 text-start"
      >
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          {chosen === undefined ? (
            <span className="text-15 text-fg2">{t('chains.choose')}</span>
          ) : (
            <>
              <span className="text-15 font-medium break-words">{chosen.label}</span>
              <GroupedAddress address={chosen.address} className="text-12 text-fg2" />
            </>
          )}
        </span>
        <ChevronDown size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg2" />
      </button>
      <Sheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={`${t('chains.choose')} · ${network.label}`}
        footer={
          <ButtonLink to="/addresslist" variant="soft" isWide>
            {t('chains.manage')}
          </ButtonLink>
        }
      >
        <ul className="flex flex-col gap-2">
          {addresses.map((one) => (
            <li key={one.id}>
              <Choice
                address={one}
                isOn={one.id === chosen?.id}
                onChoose={() => {
                  onChoose(one.id)
                  setIsOpen(false)
                }}
              />
            </li>
          ))}
        </ul>
      </Sheet>
    </div>
  )
}

function Choice({
  address: one,
  isOn,
  onChoose,
}: {
  readonly address: WireWithdrawalAddress
  readonly isOn: boolean
  readonly onChoose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const isWaiting = one.usableAt > Date.now()
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={isWaiting}
      onClick={onChoose}
      className={`flex w-full flex-col gap-1.5 rounded-control p-3.5 text-start ${isOn ? 'bg-brandtint' : 'bg-s2'}`}
    >
      <span className="text-15 font-medium break-words">{one.label}</span>
      <GroupedAddress address={one.address} className={`text-13 ${isWaiting ? 'text-fg3' : ''}`} />
      <span className="tn text-12 text-fg2">
        {isWaiting
          ? t('addresses.waiting', { time: format.dateTime(one.usableAt) })
          : one.owner === 'own'
            ? t('addresses.own')
            : one.exchange}
      </span>
    </button>
  )
}
