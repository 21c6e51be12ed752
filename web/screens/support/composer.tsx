import { ticketTextMax, type WireNewMessage, type WireThread } from '@candor/core/protocol/wire/support/tickets.ts'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { FormError } from '../../parts/ui/state.tsx'
import { support } from './data.ts'
import { AddedPictures, AddPictures, useUploads } from './pictures.tsx'

/** The field below a thread. A message whose answer was lost is sent again with its id, and arrives once. */
export function Composer({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const uploads = useUploads()
  const sending = useSendOnce<Omit<WireNewMessage, 'clientId'>, WireNewMessage, WireThread>({
    request: (clientId, asked) => ({ clientId, ...asked }),
    call: (request) => support.write(id, request),
    onAnswer: () => {
      setText('')
      uploads.clear()
    },
  })
  const isEmpty = text.trim() === ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isEmpty || uploads.isBusy) return
    const images = uploads.images.map((one) => one.id)
    sending.send({ text: text.trim(), ...(images.length === 0 ? {} : { images }) })
  }
  return (
    <form
      onSubmit={submit}
      className="sticky bottom-0 flex flex-col gap-2 border-t border-line bg-bg px-2 pt-2 pb-[calc(8px+env(safe-area-inset-bottom))]"
    >
      <AddedPictures uploads={uploads} />
      <FormError error={sending.error} />
      <div className="flex items-end gap-1">
        <AddPictures uploads={uploads} />
        <textarea
          dir="auto"
          rows={Math.min(5, text.split('\n').length)}
          maxLength={ticketTextMax}
          value={text}
          aria-label={t('support.write')}
          placeholder={t('support.write')}
          onChange={(event) => setText(event.target.value)}
          className="min-h-11 min-w-0 flex-1 resize-none rounded-control border border-transparent bg-s2 px-3.5 py-2.5 text-15 outline-none focus:border-brand"
        />
        <button
          type="submit"
          aria-label={t('support.send')}
          aria-busy={sending.isSending || undefined}
          disabled={isEmpty || uploads.isBusy || sending.isSending}
          className="press flex size-11 shrink-0 items-center justify-center rounded-control text-brand disabled:opacity-40"
        >
          <SendHorizontal size={22} strokeWidth={1.75} aria-hidden />
        </button>
      </div>
    </form>
  )
}
