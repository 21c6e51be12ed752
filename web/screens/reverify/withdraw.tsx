import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { keepRegain, regain } from '../../parts/access/regain.ts'
import { Button } from '../../parts/ui/button.tsx'
import { ConfirmSheet } from '../../parts/ui/sheet.tsx'

/** Ends the request of this browser after one question. */
export function Withdraw() {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const withdraw = useMutation({
    mutationFn: () => regain.withdraw(),
    onSuccess() {
      setIsOpen(false)
      keepRegain(null)
    },
  })
  return (
    <>
      <Button variant="ghost" size="medium" isWide onClick={() => setIsOpen(true)}>
        {t('reverify.withdraw')}
      </Button>
      <ConfirmSheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onConfirm={() => withdraw.mutate()}
        isBusy={withdraw.isPending}
        title={t('reverify.withdrawAsk')}
        confirm={t('reverify.withdraw')}
        tone="danger"
        note={t('reverify.withdrawNote')}
        error={withdraw.error}
      />
    </>
  )
}
