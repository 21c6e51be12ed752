import type { WireKey } from '@candor/core/protocol/wire/keys.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { CopyField } from '../../parts/fields/copy-field.tsx'
import { ConfirmSheet, Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { keys, keysQuery } from './data.ts'
import { useScopes } from './scopes.ts'

const kindNames: Readonly<Record<WireKey['kind'], string>> = { hmac: 'HMAC-SHA256', ed25519: 'Ed25519', rsa: 'RSA' }

/** Details of a key, and a button to delete it. */
export function KeySheet({ apiKey, onClose }: { readonly apiKey: WireKey | undefined; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
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
        isOpen={apiKey !== undefined && !isAsking}
        onClose={() => !isAsking && onClose()}
        title={apiKey?.label ?? ''}
        footer={
          <Button variant="danger" isWide onClick={ask}>
            {t('apikeys.delete')}
          </Button>
        }
      >
        {apiKey !== undefined && <Details apiKey={apiKey} />}
      </Sheet>
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

function Details({ apiKey }: { readonly apiKey: WireKey }) {
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
    </div>
  )
}
