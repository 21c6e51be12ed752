import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'
import { useMutation } from '@tanstack/react-query'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { withProof } from '../../parts/account/proof.ts'
import { refreshProtection, safety } from '../../parts/account/safety.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

type Props = { readonly own: WireSafety; readonly onClose: () => void }

/** Locks the withdrawal addresses at once, or unlocks them in a day. */
export function ListSheet({ isOpen, ...rest }: Props & { readonly isOpen: boolean }) {
  return isOpen ? <OpenListSheet {...rest} /> : null
}

function OpenListSheet({ own: { allowList }, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const { isOn, endsAt } = allowList
  const isEnding = endsAt !== null
  const set = useMutation({
    // Keeping a lock needs no proof; the others ask for one.
    mutationFn: (next: boolean) => withProof(() => safety.setAllowList({ isOn: next })),
    onSuccess(_, next) {
      toast({ text: next ? t('safety.listIsOn') : t('safety.listIsEnding'), tone: 'good' })
      void refreshProtection()
      onClose()
    },
  })
  const action = isEnding ? t('safety.listKeep') : isOn ? t('safety.listTurnOff') : t('safety.listTurnOn')
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('safety.list')}
      footer={
        <Button
          isWide
          variant={isOn && !isEnding ? 'soft' : 'primary'}
          isBusy={set.isPending}
          onClick={() => set.mutate(!isOn || isEnding)}
        >
          {action}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        {endsAt !== null && (
          <p role="status" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
            {t('safety.listEnding', { time: format.dateTime(endsAt) })}
          </p>
        )}
        <p className="text-15 text-fg2">{t('safety.listLead')}</p>
        <p className="text-13 text-fg2">{t('safety.listOff')}</p>
        <FormError error={set.error} />
      </div>
    </Sheet>
  )
}
