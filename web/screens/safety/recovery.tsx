import { useMutation } from '@tanstack/react-query'
import { Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { factors } from '../../parts/account/factors.ts'
import { withProof } from '../../parts/account/proof.ts'
import { refreshProtection } from '../../parts/account/safety.ts'
import { Button } from '../../parts/ui/button.tsx'
import { copyText } from '../../parts/ui/copy.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'

/** How many recovery codes are left, and their renewal. */
export function RecoverySheet({
  isOpen,
  left,
  onClose,
  onRenewed,
}: {
  readonly isOpen: boolean
  readonly left: number
  readonly onClose: () => void
  readonly onRenewed: (recoveryCodes: readonly string[]) => void
}) {
  const { t } = useTranslation()
  const renew = useMutation({
    mutationFn: () => withProof(() => factors.renewRecoveryCodes()),
    onSuccess: ({ recoveryCodes }) => {
      onClose()
      onRenewed(recoveryCodes)
    },
    onSettled: refreshProtection,
  })
  return (
    <Sheet
      isOpen={isOpen}
      onClose={() => {
        renew.reset()
        onClose()
      }}
      title={t('safety.recovery')}
      footer={
        <Button variant="soft" isWide isBusy={renew.isPending} onClick={() => renew.mutate()}>
          {t('safety.renew')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-13 text-fg2">{t('safety.recoveryLead')}</p>
        <dl>
          <SummaryRow label={t('safety.left')}>{t('safety.codesLeft', { left })}</SummaryRow>
        </dl>
        <p className="rounded-control bg-s2 p-3 text-12 text-fg2">{`${t('safety.renewNote')} ${t('safety.closing')}`}</p>
        <FormError error={renew.error} />
      </div>
    </Sheet>
  )
}

/** New recovery codes, shown only here. The sheet is closed only by the button that says that they are kept. */
export function CodesSheet({ codes, onKept }: { readonly codes: readonly string[] | undefined; readonly onKept: () => void }) {
  const { t } = useTranslation()
  return (
    <Sheet
      isOpen={codes !== undefined}
      isHeld
      onClose={onKept}
      title={t('safety.codesTitle')}
      footer={
        <Button isWide onClick={onKept}>
          {t('safety.keptCodes')}
        </Button>
      }
    >
      {codes !== undefined && <Codes codes={codes} />}
    </Sheet>
  )
}

function Codes({ codes }: { readonly codes: readonly string[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const me = useMe()
  const [isCopied, setIsCopied] = useState(false)
  const [now] = useState(() => Date.now())
  const title = `Candor · ${t('safety.recovery')}`
  const text = `${[title, me?.email ?? me?.phone ?? '', format.dateTime(now), '', ...codes].join('\n')}\n`
  const copy = async (): Promise<void> => {
    await copyText(codes.join('\n'))
    tick()
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 1_600)
  }
  return (
    <div className="flex flex-col gap-4">
      <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
        {t('safety.codesOnce')}
      </p>
      <ol className="grid grid-cols-1 gap-x-4 rounded-control bg-s2 px-3.5 py-2 min-[380px]:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code className="tn block py-1 text-13 whitespace-nowrap select-all">{code}</code>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button variant="soft" size="medium" className="flex-1" onClick={() => void copy()}>
          {isCopied ? (
            <Check size={18} strokeWidth={2} aria-hidden className="text-ok" />
          ) : (
            <Copy size={18} strokeWidth={1.75} aria-hidden />
          )}
          {isCopied ? t('common.copied') : t('common.copy')}
        </Button>
        <Button variant="soft" size="medium" className="flex-1" onClick={() => download('candor-recovery-codes.txt', text)}>
          <Download size={18} strokeWidth={1.75} aria-hidden />
          {t('safety.download')}
        </Button>
      </div>
    </div>
  )
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
