import type { WireKey } from '@candor/core/protocol/wire/keys.ts'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { CopyField } from '../../parts/fields/copy-field.tsx'
import { laterSheet } from '../../parts/ui/later.tsx'
import { ActionRow, Rows } from '../../parts/ui/row.tsx'
import { ConfirmSheet, Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { ChartLine } from 'lucide-react'
import { keys, keysQuery } from './data.ts'
import { useScopes } from './scopes.ts'

const SignalSheet = laterSheet(() =>
  Promise.all([import('./signal-sheet.tsx'), loadArea('signals'), loadArea('refusals')]).then(([module]) => module.SignalSheet),
)

const kindNames: Readonly<Record<WireKey['kind'], string>> = { hmac: 'HMAC-SHA256', ed25519: 'Ed25519', rsa: 'RSA' }

/** Details of a key, and a button to delete it. */
export function KeySheet({ apiKey, onClose }: { readonly apiKey: WireKey | undefined; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const [hasSignals, setHasSignals] = useState(false)
  const remove = useMutation({
    mutationFn: (id: string) => keys.remove(id),
    onSuccess: () => {
      setIsAsking(false)
      onClose()
      toast({ text: t('apikeys.deleted'), tone: 'good' })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery }),
  })
  const ask = (): void => {
    remove.reset()
    setIsAsking(true)
  }
  return (
    <>
      <Sheet
        isOpen={apiKey !== undefined && !isAsking && !hasSignals}
        onClose={() => !isAsking && !hasSignals && onClose()}
        title={apiKey?.label ?? ''}
        footer={
          <Button variant="danger" isWide onClick={ask}>
            {t('apikeys.delete')}
          </Button>
        }
      >
        {apiKey !== undefined && <Details apiKey={apiKey} onSignals={() => setHasSignals(true)} />}
      </Sheet>
      {apiKey !== undefined && hasSignals && (
        <Suspense>
          <SignalSheet apiKey={apiKey} onClose={() => setHasSignals(false)} />
        </Suspense>
      )}
      <ConfirmSheet
        isOpen={apiKey !== undefined && isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => apiKey !== undefined && remove.mutate(apiKey.id)}
        isBusy={remove.isPending}
        title={t('apikeys.deleteAsk', { label: apiKey?.label })}
        confirm={t('apikeys.delete')}
        tone="danger"
        note={t('apikeys.deleteHint')}
        error={remove.error}
      />
    </>
  )
}

function Details({ apiKey, onSignals }: { readonly apiKey: WireKey; readonly onSignals: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const scopes = useScopes()
  const { key, kind, ips, createdAt, expiresAt, lastUsedAt, lastIp } = apiKey
  return (
    <div className="flex flex-col gap-3">
      <CopyField label={t('apikeys.key')} text={key} />
      <dl>
        <SummaryRow label={t('apikeys.may')}>{apiKey.scopes.map((scope) => scopes[scope]).join(', ')}</SummaryRow>
        <SummaryRow label={t('apikeys.kind')}>{kindNames[kind]}</SummaryRow>
        <SummaryRow label={t('apikeys.ips')}>{ips.length === 0 ? t('apikeys.anywhere') : ips.join(', ')}</SummaryRow>
        <SummaryRow label={t('apikeys.created')}>{format.dateTime(createdAt)}</SummaryRow>
        <SummaryRow label={t('apikeys.life')}>{expiresAt === undefined ? t('apikeys.lifeEver') : format.dateTime(expiresAt)}</SummaryRow>
        <SummaryRow label={t('apikeys.lastUse')}>
          {lastUsedAt === undefined ? t('apikeys.neverUsed') : `${format.dateTime(lastUsedAt)} · ${lastIp ?? ''}`}
        </SummaryRow>
      </dl>
      <div className="-mx-4">
        <Rows>
          <ActionRow
            icon={<ChartLine size={20} strokeWidth={1.75} />}
            title={t('apikeys.signals')}
            detail={t('apikeys.signalsHint')}
            onClick={onSignals}
          />
        </Rows>
      </div>
    </div>
  )
}
