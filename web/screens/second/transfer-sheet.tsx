import { OfflineError } from '@candor/client/errors.ts'
import { parseUnits } from '@candor/core/money/units.ts'
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
import { Sheet } from '../../parts/sheet.tsx'
import { FormError } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

/** Money between the spot account and that of Second, without leaving the desk: at once and free of charge. */
export function TransferSheet({ asset, scale, onClose }: { readonly asset: string; readonly scale: number; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isIn, setIsIn] = useState(true)
  const [amount, setAmount] = useState('')
  const [isGated, setIsGated] = useState(false)
  const clientId = useRef(newClientId())
  const isCertified = useIsCertified()
  const accounts = useBalances().data?.accounts
  const [from, to] = isIn ? (['spot', 'option'] as const) : (['option', 'spot'] as const)
  const balances = accounts && (accounts.find(({ kind }) => kind === from)?.balances ?? [])
  const most = balances && (balances.find((balance) => balance.asset === asset)?.available ?? '0')
  const transfer = useMutation({
    mutationFn: () => client.funds.transfer({ clientId: clientId.current, asset, from, to, amount: amount.replace(/\.$/, '') }),
    onSuccess: () => {
      tick(12)
      toast({ text: t('option.move.done', { amount: `${format.number(amount)} ${asset}` }), tone: 'good' })
      onClose()
    },
    onError: (error) => {
      // After a lost answer the same id is sent again: the money moves once.
      if (!(error instanceof OfflineError)) clientId.current = newClientId()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  const units = parseUnits(amount.replace(/\.$/, ''), scale)
  const isTooMuch = units !== undefined && most !== undefined && units > (parseUnits(most, scale) ?? 0)
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('option.transfer')}
      footer={
        <Button
          isWide
          disabled={units === undefined || units <= 0 || isTooMuch}
          isBusy={transfer.isPending}
          onClick={() => (isCertified ? transfer.mutate() : setIsGated(true))}
        >
          {t('option.move.now')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-2 rounded-control bg-s2 py-2 ps-4 pe-1">
          <dl className="flex min-w-0 flex-1 flex-col gap-2 text-15">
            <Place label={t('option.move.from')}>{t(`option.move.${from}`)}</Place>
            <Place label={t('option.move.to')}>{t(`option.move.${to}`)}</Place>
          </dl>
          <IconButton
            label={t('option.move.turn')}
            onClick={() => {
              setIsIn(!isIn)
              setAmount('')
            }}
          >
            <ArrowUpDown size={20} strokeWidth={1.75} aria-hidden className="text-brand" />
          </IconButton>
        </div>
        <NumberField
          label={`${t('option.move.amount')} (${asset})`}
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
          <span className="text-fg2">{t('option.available')}</span>
          <span className="flex items-center gap-2">
            <span className="tn">{most === undefined ? '–' : `${format.number(most, 2, 6)} ${asset}`}</span>
            <Button
              variant="soft"
              size="small"
              disabled={most === undefined || Number(most) <= 0}
              onClick={() => {
                setAmount(most ?? '')
                clientId.current = newClientId()
              }}
            >
              {t('option.move.all')}
            </Button>
          </span>
        </div>
        <p className="text-12 text-fg2">{isIn ? t('option.move.inHint') : t('option.move.outHint')}</p>
        <FormError error={transfer.error} />
      </div>
      <CertifyGate isOpen={isGated} onClose={() => setIsGated(false)} onCertified={() => transfer.mutate()} />
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
