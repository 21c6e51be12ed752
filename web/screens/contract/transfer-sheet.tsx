import { OfflineError } from '@candor/client/errors.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { useMutation } from '@tanstack/react-query'
import { ArrowUpDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { client, newClientId, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { CertifyGate, useIsCertified } from '../../parts/certify-gate.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { usePerpAccount } from '../../parts/perp/account.ts'
import { useOnce } from '../../parts/once.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { FormError } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

/** Money between the spot and the contract account without leaving the desk: at once and free of charge. */
export function TransferSheet({ asset, scale, onClose }: { readonly asset: string; readonly scale: number; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isIn, setIsIn] = useState(true)
  const [amount, setAmount] = useState('')
  const [isGated, setIsGated] = useState(false)
  const clientId = useRef(newClientId())
  const isCertified = useIsCertified()
  const spot = useBalances().data?.accounts.find((account) => account.kind === 'spot')?.balances
  const account = usePerpAccount().data
  const most = isIn ? spot && (spot.find((balance) => balance.asset === asset)?.available ?? '0') : account?.transferable
  const [from, to] = isIn ? (['spot', 'perp'] as const) : (['perp', 'spot'] as const)
  const transfer = useMutation({
    mutationFn: () => client.funds.transfer({ clientId: clientId.current, asset, from, to, amount }),
    onSuccess: () => {
      tick(12)
      toast({ text: t('perp.transferred', { amount: `${format.number(amount)} ${asset}` }), tone: 'good' })
      onClose()
    },
    onError: (error) => {
      // After a lost answer the same id is sent again: the money moves once.
      if (!(error instanceof OfflineError)) clientId.current = newClientId()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  const run = useOnce(transfer)
  const units = parseUnits(amount, scale)
  const isTooMuch = units !== undefined && most !== undefined && units > (parseUnits(most, scale) ?? 0)
  const names = { spot: t('perp.spotAccount'), perp: t('perp.contractAccount') }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('perp.transfer')}
      footer={
        <Button
          isWide
          disabled={units === undefined || units <= 0 || isTooMuch}
          isBusy={transfer.isPending}
          onClick={() => (isCertified ? run() : setIsGated(true))}
        >
          {t('perp.transferNow')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-2 rounded-control bg-s2 py-2 ps-4 pe-1">
          <dl className="flex min-w-0 flex-1 flex-col gap-2 text-15">
            <Place label={t('perp.from')}>{names[from]}</Place>
            <Place label={t('perp.to')}>{names[to]}</Place>
          </dl>
          <IconButton
            label={t('perp.turnRound')}
            onClick={() => {
              setIsIn(!isIn)
              setAmount('')
            }}
          >
            <ArrowUpDown size={20} strokeWidth={1.75} aria-hidden className="text-brand" />
          </IconButton>
        </div>
        <NumberField
          label={`${t('perp.amount')} (${asset})`}
          value={amount}
          step="1"
          places={scale}
          onChange={(text) => {
            setAmount(text)
            clientId.current = newClientId()
          }}
          error={isTooMuch ? t('refusals.INSUFFICIENT_BALANCE') : undefined}
        />
        <div className="flex items-center justify-between gap-2 text-13">
          <span className="text-fg2">{t('trade.available')}</span>
          <span className="flex items-center gap-2">
            <span className="tn">{most === undefined ? '–' : `${format.number(most, 2, 6)} ${asset}`}</span>
            <Button
              variant="soft"
              size="small"
              disabled={most === undefined || Number(most) <= 0}
              onClick={() => most !== undefined && setAmount(formatUnits(parseUnits(most, scale) ?? 0, scale))}
            >
              {t('perp.all')}
            </Button>
          </span>
        </div>
        <p className="text-12 text-fg2">{isIn ? t('perp.transferHint') : t('perp.transferOutHint')}</p>
        <FormError error={transfer.error} />
      </div>
      <CertifyGate isOpen={isGated} onClose={() => setIsGated(false)} onCertified={run} />
    </Sheet>
  )
}

function Place({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <div className="flex gap-3">
      <dt className="w-14 shrink-0 text-13 text-fg3">{label}</dt>
      <dd className="min-w-0 truncate font-medium">{children}</dd>
    </div>
  )
}
